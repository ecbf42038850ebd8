// reject: elements of a static array within one
#include "../show.h"

struct S {
  static constexpr int t[2][2] = {1, 2, 3, 4};
};
__tile_global__ void k(int *o, int *p, float *f, int n) { o[0] = S::t[1][n - 4]; }
int main() {}
