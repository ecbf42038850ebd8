// accept: attributes for inlining on tile functions
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ __noinline__ int f(int x) { return x + 1; }
__tile__ __forceinline__ int g(int x) { return x + 2; }
[[gnu::noinline]] __tile__ int h(int x) { return x + 3; }

__tile_global__ void k(int *out) { out[0] = f(1) + g(2) + h(3); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
