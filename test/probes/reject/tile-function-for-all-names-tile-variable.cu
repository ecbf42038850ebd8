// reject: a function for host, device and tile code names a __tile__ variable
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int v = 3;
__host__ __device__ __tile__ int f(int x) { return x + v; }
__tile_global__ void k(int *out) { out[0] = f(1); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
