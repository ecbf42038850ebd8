// What nvcc provides by itself and Clang does not: included before a program's first line, and by
// cuda_tile.h. The specifiers of the language; the functions of <math.h> at global scope; launches
// without a block size; device functions that Clang lacks.
//
// Clang turns a launch into a call of __cudaPushCallConfiguration; a redeclaration may add a
// default argument. Tile kernels have no block size.
#pragma once

#include "../macros_begin.h"

#include "config.h"

#if defined(TESSERA_CLANG) && __has_include(<math.h>)
#include <math.h>
#endif

#ifdef TESSERA_CLANG_CUDA
extern "C" unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim = dim3(1, 1, 1),
                                                decltype(sizeof(0)) sharedMem, void *stream);
#endif
#if defined(TESSERA_CLANG) && defined(__CUDA__) && !defined(TESSERA_TARGET_CPU)
#include "nvcc_functions.h"
#endif

#include "../macros_end.h"
