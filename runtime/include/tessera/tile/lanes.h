// lanes<T>: what a tile of type T holds, one lane per element in row-major order.
//
// For a GPU it is one Clang vector, so that after inlining a tile is a single SSA value (`<8192 x float>`) whatever C++ did with it.
// For the CPU it is a plain array. Elements that a Clang vector cannot hold travel as integers of their width: bool and fp8 as
// unsigned char, half and bf16 as unsigned short, tf32 as unsigned int, pointers as unsigned long long.
#pragma once

#include "config.h"

struct __half;
struct __nv_bfloat16;
struct __nv_tf32;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;
struct __nv_fp8_e8m0;
struct __nv_fp4_e2m1;

namespace cuda::tiles::prim {

template <class E> struct lane { using type = E; };
template <> struct lane<bool> { using type = unsigned char; };
template <> struct lane<char8_t> { using type = unsigned char; };
template <> struct lane<char16_t> { using type = unsigned short; };
template <> struct lane<char32_t> { using type = unsigned int; };
template <> struct lane<wchar_t> { using type = int; };
template <> struct lane<__half> { using type = unsigned short; };
template <> struct lane<__nv_bfloat16> { using type = unsigned short; };
template <> struct lane<__nv_tf32> { using type = unsigned int; };
template <> struct lane<__nv_fp8_e4m3> { using type = unsigned char; };
template <> struct lane<__nv_fp8_e5m2> { using type = unsigned char; };
template <> struct lane<__nv_fp8_e8m0> { using type = unsigned char; };
template <> struct lane<__nv_fp4_e2m1> { using type = unsigned char; };
template <class T> struct lane<T *> { using type = unsigned long long; };

// The lane of one element of tile type T.
template <class T> using lane_t = typename lane<typename T::element_type>::type;

template <class L, unsigned long long N> struct lane_array {
#if defined(TESSERA_TARGET_CPU) || defined(TESSERA_SIMT)
  struct type {
    L v[N];
  };
#else
  typedef L type __attribute__((ext_vector_type(N), aligned(alignof(L))));
#endif
};

// T needs element_type and shape_type, as ct::tile has.
template <class T> using lanes = typename lane_array<lane_t<T>, T::shape_type::static_size()>::type;

// How a primitive takes a tile: an SSA value for a GPU; on the CPU a reference, since tiles are hundreds of KiB.
#ifdef TESSERA_TARGET_CPU
template <class T> using lanes_arg = const lanes<T> &;
#else
template <class T> using lanes_arg = lanes<T>;
#endif

}  // namespace cuda::tiles::prim
