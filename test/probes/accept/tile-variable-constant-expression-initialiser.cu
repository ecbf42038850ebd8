// accept: tile variables with constant expressions as initialisers
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

constexpr int f(int x) { return x * x; }
__tile__ int a = f(4) + 1;
__tile__ float b = 1.0f / 4;
__tile__ unsigned long long c = ~0ull;

__tile_global__ void k(int *out) {
  out[0] = a;
  out[1] = int(b * 8);
  out[2] = c == ~0ull;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
