// CUDA's built-in variables. The engine sets them whenever it resumes a thread; they are variables,
// not macros, because programs name parameters like them.
#pragma once

#include <vector_types.h>

extern constinit thread_local uint3 threadIdx;
extern constinit thread_local uint3 blockIdx;
extern constinit thread_local dim3 blockDim;
extern constinit thread_local dim3 gridDim;
inline constexpr int warpSize = 32;
