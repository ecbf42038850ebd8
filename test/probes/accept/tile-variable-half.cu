// accept: a tile variable of type half
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ __half h;

__tile_global__ void k(int *out) { out[0] = int(float(h)); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
