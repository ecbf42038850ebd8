// reject: a loop over an array of the host
#include "../show.h"

constexpr int t[3] = {1, 2, 3};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  for (int x : t)
    o[x] = x;
}
int main() {}
