// A local variable behind a pointer that is chosen, swapped in a loop or kept in a struct: each
// store is seen by every later load, whichever thread makes it.
#include "run.h"
#include <cuda_tile.h>

__tile_global__ void chosen(const int *x, int w, int n, int *o) {
  int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
  int *p = w ? a : b;
  for (int i = 0; i < n; ++i)
    p[x[i] & 3] += x[i];
  for (int i = 0; i < 4; ++i) {
    o[i] = a[i];
    o[4 + i] = b[i];
  }
}

__tile_global__ void swapped(const int *x, int n, int *o) {
  int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
  int *p = a, *q = b;
  for (int i = 0; i < n && x[i] < 6; ++i) {
    p[x[i] & 3] = i;
    int *r = p;
    p = q;
    q = r;
  }
  for (int i = 0; i < 4; ++i) {
    o[i] = a[i];
    o[4 + i] = b[i];
  }
}

int main() {
  run::array<int> x(8, [](auto i) { return int(i * 5 % 7); }), o(8);
  auto at = [&](auto i) { return int(x[i]); };
  for (int w : {0, 1}) {
    chosen<<<1, 1>>>(x, w, 8, o);
    run::expect(w ? "chosen a" : "chosen b", o, [&](auto k) {
      int sums[8] = {1, 2, 3, 4, 5, 6, 7, 8};
      for (int i = 0; i < 8; ++i)
        sums[(w ? 0 : 4) + (at(i) & 3)] += at(i);
      return sums[k];
    });
  }
  swapped<<<1, 1>>>(x, 8, o);
  run::expect("swapped", o, [&](auto k) {
    int all[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < 8 && at(i) < 6; ++i)
      all[i % 2 * 4 + (at(i) & 3)] = i;
    return all[k];
  });
  return run::finish();
}
