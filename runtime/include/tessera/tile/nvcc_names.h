// What nvcc gives every .cu file and Clang does not: the functions of <math.h> at global scope, and
// kernel<<<grid>>>(...) without a block size.
//
// Clang turns a launch into a call of __cudaPushCallConfiguration; a redeclaration may add a
// default argument. Tile kernels have no block size.
#pragma once

#if defined(TESSERA_CLANG) && __has_include(<math.h>)
#include <math.h>
#endif

#ifdef TESSERA_CLANG_CUDA
extern "C" unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim = dim3(1, 1, 1),
                                                decltype(sizeof(0)) sharedMem, void *stream);
#endif
