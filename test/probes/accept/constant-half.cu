// accept: a constexpr half of the host
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

constexpr __half_raw h = {0x3c00};

__tile_global__ void k(int *out) { out[0] = h.x; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
