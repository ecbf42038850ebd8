// reject: the bits of a half are of host and device: __half_raw is not assigned to a half
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void k(__half *p) {
  __half_raw bits{};
  __half x;
  x = bits;
  ct::store(p, x);
}

int main() {}
