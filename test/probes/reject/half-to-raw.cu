// reject: the bits of a half are of host and device: no conversion to __half_raw
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void k(unsigned short *p, __half x) {
  __half_raw bits = x;
  ct::store(p, bits.x);
}

int main() {}
