// [tile:kernels] What a kernel takes by value with --extensions.
// options: --extensions
#include <cuda_tile.h>
namespace ct = cuda::tiles;

struct with_tile {
  ct::tile<float, ct::shape<4>> t;
};
struct large {
  int values[4096];
};
__tile_global__ void tiles(with_tile x) {}
//                                   ^ error: parameter 'x' of kernel 'tiles' has class type
//                  'with_tile', which holds a tile; a kernel takes trivially copyable classes of
//                  scalars and pointers [tile:kernels/kernel-parameter-holds]
// right: __tile_global__ void tiles(float *x) {}
__tile_global__ void too_large(large a, large b) {}
//                   ^ error: the parameters of kernel 'too_large' take 32768 bytes; a GPU passes at
//                  most 32764 [tile:kernels/kernel-parameters-too-large]
// right: __tile_global__ void too_large(large a, const large *b) {}
