// [tile:header_and_namespace] A program that forgets the header: nothing else is said of it.
#include <cuda_runtime.h>
using cuda::tiles::iota;
//    ^ error: the header of cuda::tiles is not included; write #include <cuda_tile.h>
//      [tile:header_and_namespace/no-header]
// right: #include <cuda_tile.h>

__tile_global__ void kernel(float *p) {
  auto x = cuda::tiles::iota<cuda::tiles::tile<int, cuda::tiles::shape<8>>>();
  auto y = cuda::tiles::load(p + x);
}
