// kernel<<<grid>>>(...): tile kernels have no block size, so the second launch argument gets a default.
//
// Clang turns a launch into a call of __cudaPushCallConfiguration; a redeclaration may add a default argument.
#pragma once

#if defined(__clang__) && defined(__CUDA__) && !defined(TESSERA_TARGET_CPU) && !defined(TESSERA_SIMT)
extern "C" unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim = dim3(1, 1, 1), decltype(sizeof(0)) sharedMem, void *stream);
#endif
