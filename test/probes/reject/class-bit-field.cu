// reject: bit-fields
#include "../show.h"

struct S {
  unsigned a : 3, b : 5;
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  S s{1, 2};
  s.a = n;
  o[0] = s.a;
}
int main() {}
