// An element of a tile's object at a run-time index, and its bytes copied: refused but on a CPU.
#include "../run/run.h"
#include <cstring>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using row = ct::tile<int, ct::shape<32>>;

__tile_global__ void shifted(const int *x, int n, int *o) {
  row a = ct::load(x + ct::iota<row>());
  reinterpret_cast<int *>(&a)[n] = -1;
  int b[32];
  memcpy(b, &a, sizeof b);
  b[n + 1] += b[n] * 10;
  memcpy(&a, b, sizeof a);
  ct::store(o + ct::iota<row>(), a);
}

int main() {
  run::array<int> x(32, [](auto i) { return int(i); }), o(32);
  shifted<<<1, 1>>>(x, 7, o);
  run::expect("o", o, [](auto i) { return i == 7 ? -1 : i == 8 ? -2 : int(i); });
  return run::finish();
}
