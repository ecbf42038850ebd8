// The requirements of the interoperability headers: plain C++ compilers, nvcc and, in tile code,
// Tessera read them.
//
// TESSERA_INTEROP_API marks a function that all execution spaces call.
#pragma once

#if defined(TESSERA_HOST_API)
#define TESSERA_INTEROP_API TESSERA_HOST_API
#elif defined(__CUDACC__) && defined(__CUDACC_TILE__)
#define TESSERA_INTEROP_API __host__ __device__ __tile__ inline
#elif defined(__CUDACC__)
#define TESSERA_INTEROP_API __host__ __device__ inline
#else
#define TESSERA_INTEROP_API inline
#endif
