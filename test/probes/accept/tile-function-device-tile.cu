// accept: a function for SIMT and tile code
#include <cuda_tile.h>
#include "../probe.h"
__device__ __tile__ int f(int x) { return x + 1; }
__host__ __device__ __tile__ int g(int x) { return x + 2; }
__tile_global__ void k(int *out) { out[0] = f(1) + g(1); }
__global__ void s(int *out) { out[1] = f(2) + g(2); }
int main() {
  Buf<int> out(2);
  k<<<1, 1>>>(out);
  s<<<1, 1>>>(out);
  ran();
  out.print("out");
  printf("%d\n", g(40));
  return probe_bad;
}
