// reject: the bits of a bfloat16 are of host and device: no conversion to __nv_bfloat16_raw
#include <cuda_bf16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void k(unsigned short *p, __nv_bfloat16 x) {
  __nv_bfloat16_raw bits = x;
  ct::store(p, bits.x);
}

int main() {}
