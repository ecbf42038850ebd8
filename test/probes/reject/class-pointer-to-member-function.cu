// reject: pointers to member functions
#include "../show.h"

struct S {
  int a;
  __tile__ int get(int x) const { return a + x; }
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  S s{1};
  int (S::*m)(int) const = &S::get;
  o[0] = (s.*m)(n);
}
int main() {}
