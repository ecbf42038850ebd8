// The only part of the tile header that asks which compiler, pass or target this is.
//
// TESSERA_RAISE        the compiler reads tile code to compile it: primitives are declared only,
//                      device side
// TESSERA_TARGET_CPU   tile code is ordinary host code, primitives have bodies
// TESSERA_SIMT         a rewritten file: it has no tile functions, but names of the header may be
//                      used
// none of them         a plain parse (host pass, clangd): tile functions are checked, never emitted
//
// TESSERA_CHECK_BOUNDS, TESSERA_CHECK_NAN, TESSERA_CHECK_INF: the run-time checks of kernels
// (--check); for a GPU they change only position types here, and passes insert the checks
#pragma once

#include "../version.h"

// TESSERA_WHOLE_TILES  the same for generated code of kernels for the CPU, in which there are
//                      primitives with bodies
#if defined(TESSERA_TARGET_CPU) || defined(TESSERA_WHOLE_TILES)
#define TESSERA_HAS_BODIES
#endif

// A rewritten file may be compiled as C++17; then the header provides only the macros and the names
// of the namespaces.
#if __cplusplus < 202002L && defined(TESSERA_SIMT)
#define TESSERA_HEADER_IS_EMPTY
#endif

#if __has_include(<vector_types.h>)
#include <vector_types.h>
#endif

#ifdef __clang__
#define TESSERA_CLANG
#if defined(__CUDA__) && !defined(TESSERA_TARGET_CPU) && !defined(TESSERA_SIMT)
#define TESSERA_CLANG_CUDA
#endif
#endif

// The version of nvcc whose tile language this is.
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 0
#endif

#ifndef __CUDACC_TILE__
#define __CUDACC_TILE__ 1
#endif

// In rewritten code, the answers to the program's own `#ifdef __NVCC__` and `#ifdef __CUDACC__`.
#define TESSERA_NVCC 1
#define TESSERA_CUDACC 1

// CUDA 13 headers define these for NVIDIA's own compiler.
#undef __tile_global__
#undef __tile__
#undef __tile_builtin__

// Where argument-dependent lookup, as for `add(a, b)`, also finds an equally good template of the
// program, overload resolution prefers the library's function.
#ifdef TESSERA_CLANG
#define TESSERA_PREFERRED __attribute__((enable_if(true, "")))
#else
#define TESSERA_PREFERRED
#endif

// On the CPU, functions with checks differ from those without: translation units of both kinds may
// be linked into one program.
#if defined(TESSERA_CHECK_BOUNDS) || defined(TESSERA_CHECK_NAN) || defined(TESSERA_CHECK_INF)
#ifdef TESSERA_CHECK_BOUNDS
#define TESSERA_TAG_OF_BOUNDS "_bounds"
#else
#define TESSERA_TAG_OF_BOUNDS
#endif
#ifdef TESSERA_CHECK_NAN
#define TESSERA_TAG_OF_NAN "_nan"
#else
#define TESSERA_TAG_OF_NAN
#endif
#ifdef TESSERA_CHECK_INF
#define TESSERA_TAG_OF_INF "_inf"
#else
#define TESSERA_TAG_OF_INF
#endif
#define TESSERA_CHECKED                                                                            \
  __attribute__((abi_tag("checks" TESSERA_TAG_OF_BOUNDS TESSERA_TAG_OF_NAN TESSERA_TAG_OF_INF)))
#else
#define TESSERA_CHECKED
#endif

// TESSERA_API: functions of tile code. TESSERA_HOST_API: extents, layouts, spans, irange, usable
// everywhere. TESSERA_PRIMITIVE: depends on its arguments only; _READ: reads memory too; _EFFECT:
// writes memory.
#if defined(TESSERA_TARGET_CPU)
#define __tile__
#define __tile_global__
#define TESSERA_API TESSERA_PREFERRED TESSERA_CHECKED inline
#define TESSERA_HOST_API inline
#define TESSERA_PRIMITIVE TESSERA_CHECKED inline
#define TESSERA_PRIMITIVE_READ TESSERA_CHECKED inline
#define TESSERA_PRIMITIVE_EFFECT TESSERA_CHECKED inline
#elif defined(TESSERA_SIMT)
#define __tile__
#define __tile_global__
#define TESSERA_API TESSERA_PREFERRED inline
#ifdef __CUDACC__
#define TESSERA_HOST_API __host__ __device__ inline
#else
#define TESSERA_HOST_API inline
#endif
#define TESSERA_PRIMITIVE
#define TESSERA_PRIMITIVE_READ
#define TESSERA_PRIMITIVE_EFFECT
#else
#define __tile__ __attribute__((device, tile))
#define __tile_global__ __attribute__((global, tile_global))
#define TESSERA_API TESSERA_PREFERRED __attribute__((device, tile, always_inline)) inline
#define TESSERA_HOST_API __attribute__((host, device, tile, always_inline)) inline
#define TESSERA_PRIMITIVE __attribute__((device, tile, const))
#define TESSERA_PRIMITIVE_READ __attribute__((device, tile, pure))
#define TESSERA_PRIMITIVE_EFFECT __attribute__((device, tile))
#endif
