// Built-ins of nvcc that Clang lacks; included before a program's first line, and by cuda_tile.h:
// the specifiers of the language, the functions of <math.h> at global scope, launches without a
// block size, device functions.
//
// Clang turns a launch into a call of __cudaPushCallConfiguration; a redeclaration may add a
// default argument. Tile kernels have no block size. A launch outside of functions calls the
// functions of a device-side launch, which are not defined, since no such call runs.
#pragma once

#include "../macros_begin.h"

#include "config.h"

#if defined(TESSERA_CLANG) && __has_include(<math.h>)
#include <math.h>
#endif

#ifdef TESSERA_CLANG_CUDA
extern "C" unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim = dim3(1, 1, 1),
                                                decltype(sizeof(0)) sharedMem, void *stream);
extern "C" __host__ __device__ unsigned
__tessera_configure_outside(void *kernel, void *parameters, dim3 gridDim,
                            dim3 blockDim = dim3(1, 1, 1), decltype(sizeof(0)) sharedMem = 0,
                            void *stream = nullptr);
extern "C" __host__ __device__ void *__tessera_parameters_outside(decltype(sizeof(0)) alignment,
                                                                  decltype(sizeof(0)) size);
#endif
#if defined(TESSERA_CLANG) && defined(__CUDA__) && !defined(TESSERA_TARGET_CPU)
#include "nvcc_functions.h"
#endif

#include "../macros_end.h"
