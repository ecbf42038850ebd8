// reject: the bits of a half are of host and device: no half is made of __half_raw
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void k(__half *p) {
  __half_raw bits{};
  bits.x = 0x3c00;
  ct::store(p, __half(bits));
}

int main() {}
