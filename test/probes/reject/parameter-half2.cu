// reject: a half2 as a parameter
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void p(__half2 a, int *out) { out[0] = 1; }

__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
