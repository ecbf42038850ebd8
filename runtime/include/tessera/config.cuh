// With arch/, the only part of the device runtime that asks which compiler or architecture this is.
//
// TESSERA_EMULATE   the same code as ordinary C++20: threads of a block are fibers, emulate/arch.h
//                   replaces arch/
// TESSERA_SM        the compute capability of this device pass times ten (900 for sm_90a); 0 in
//                   host passes and under the emulator
//
// TESSERA_DEVICE marks every function of the runtime, TESSERA_BOTH those that hosts also call,
// TESSERA_CONSTEXPR those that also run in constant expressions, TESSERA_COLD those that run at
// most once, TESSERA_UNROLL every loop whose index selects a register: fragments stay in registers
// only if they are indexed statically.
#pragma once

#if __cplusplus < 201703L
#error "the text of tile kernels needs C++17: compile with -std=c++17 or newer"
#endif

#if defined(TESSERA_EMULATE)
#include <tessera/emulate/cuda.h>
#define TESSERA_DEVICE inline
#define TESSERA_BOTH inline
#define TESSERA_COLD inline
#define TESSERA_CONSTEXPR constexpr
#define TESSERA_UNROLL
#else
// Where compilers support it, inlined code counts as the program's line that called it.
#ifdef __clang__
#define TESSERA_NO_LINES __attribute__((nodebug))
#else
#define TESSERA_NO_LINES
#endif
#define TESSERA_DEVICE TESSERA_NO_LINES __device__ __forceinline__
#define TESSERA_BOTH TESSERA_NO_LINES __host__ __device__ __forceinline__
#define TESSERA_COLD TESSERA_NO_LINES static __device__ __noinline__
#define TESSERA_CONSTEXPR TESSERA_NO_LINES __host__ __device__ __forceinline__ constexpr
#define TESSERA_UNROLL _Pragma("unroll")
#endif

#if defined(__CUDA_ARCH__)
#define TESSERA_SM __CUDA_ARCH__
#else
#define TESSERA_SM 0
#endif

// Instructions of sm_90a alone: sm_90 and newer GPUs do not have them.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define TESSERA_HAS_WGMMA 1
#else
#define TESSERA_HAS_WGMMA 0
#endif

// Does stmatrix exist?
#if defined(TESSERA_EMULATE) || TESSERA_SM >= 900
#define TESSERA_HAS_STMATRIX 1
#else
#define TESSERA_HAS_STMATRIX 0
#endif

// A program may also be compiled for GPUs before sm_80, which have no tile code.
#if TESSERA_SM == 0 || TESSERA_SM >= 800
#define TESSERA_HAS_TILES 1
#endif

// Generated code for an image (image.cuh) names the bytes of static shared memory that its kernels
// declare, if hosts may launch them with one thread. nvcc 13 and NVRTC 13 make such kernels, for
// sm_90 and newer.
#if defined(TESSERA_IMAGE_SHARED) && TESSERA_SM >= 900 && __CUDACC_VER_MAJOR__ >= 13 &&            \
    (defined(__CUDACC_RTC__) || (defined(__NVCC__) && !defined(__CUDA__)))
#define TESSERA_ONE_THREAD 1
#endif

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstring>
#include <type_traits>
