// reject: a variable for SIMT and tile code
#include <cuda_tile.h>
#include "../probe.h"
__device__ __tile__ int a = 5;
__tile_global__ void k(int *out) { out[0] = a++; }
__global__ void s(int *out) { out[1] = a++; }
int main() {
  Buf<int> out(2);
  k<<<1, 1>>>(out);
  ran();
  s<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
