// accept: a tile function that is noexcept
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int f(int x) noexcept { return x + 1; }
template <bool B> __tile__ int g(int x) noexcept(B) { return x + noexcept(f(1)); }

__tile_global__ void k(int *out) { out[0] = f(1) + g<true>(2) + noexcept(g<false>(1)); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
