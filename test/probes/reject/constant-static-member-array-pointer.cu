// reject: a pointer to a static array
#include "../show.h"

struct S {
  static constexpr int t[3] = {1, 2, 3};
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  const int *q = S::t;
  o[0] = q[n - 4];
}
int main() {}
