// reject: a loop over a static array
#include "../show.h"

struct S {
  static constexpr int t[3] = {1, 2, 3};
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  for (int x : S::t)
    o[x] = x;
}
int main() {}
