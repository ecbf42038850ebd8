// reject: SIMT code passes a const __tile__ variable by reference
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ const int v = 3;
__device__ int f(const int &x) { return x; }
__global__ void s(int *p) { p[0] = f(v); }
__tile_global__ void k(int *out) { out[0] = v; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
