// reject: a constexpr constructor of the host
#include "../show.h"

struct S {
  int a;
  constexpr S(int x) : a(x) {}
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  S s(n);
  o[0] = s.a;
}
int main() {}
