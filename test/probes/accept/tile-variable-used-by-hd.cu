// accept: a tile variable named by a host and device function
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int a = 5;
__host__ __device__ inline int s() { return a; }

__tile_global__ void k(int *out) { out[0] = a; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
