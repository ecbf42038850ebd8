// What the interoperability headers need of a compiler: they are read by plain C++ compilers, by
// nvcc and, in tile code, by Tessera.
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
