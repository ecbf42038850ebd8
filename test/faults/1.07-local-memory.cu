// A pointer that is one of two local arrays: one thread alone stored, as if to global memory.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void chosen(const int *x, int w, int n, int *o) {
  int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
  int *p = w ? a : b;
  for (int i = 0; i < n; ++i)
    p[x[i] & 3] += x[i];
  auto lane = ct::iota<ct::tile<int, ct::shape<128>>>();
  ct::store(o + lane, lane * 0 + a[x[0] & 3] * 100 + b[x[1] & 3]);
}

int main() {
  run::array<int> x(4, [](auto i) { return i + 1; }), o(128);
  chosen<<<1, 1>>>(x, 1, 4, o);
  run::expect("o", o, [](auto) { return 307; });
  return run::finish();
}
