// [tile:specifiers] A kernel that is declared as something else. Clang says so of a parse that may
// have to be repeated with other spellings.
#include <cuda_tile.h>

namespace ct = cuda::tiles;

void declared_otherwise(int *p);
__tile_global__ void declared_otherwise(int *p) {}
//                   ^ error: 'declared_otherwise' is a kernel of tile code in one declaration and
//                  something else in another; write __tile_global__ on all declarations of a kernel
//                  [tile:specifiers/other-kind]
// right: void declared_otherwise(int *p) {}
