// The C++ types, by their Python names, of numbers, vectors, tuples and structs as parameters of a
// kernel: tessera::interop::int8, float16x3, complex64, tuple<int32, float32>, aligned<int32, 16>.
// Their layout is that of the table types.def, checked by static_assert.
//
// None is a void pointer. Python's own bool, int, float and complex are bool_, int32, float32 and
// complex64. A struct is a struct with the same members in the same order.
#pragma once

#include "config.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <vector_types.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tessera::interop {

using none = void *;

// As cuda::std::complex<T>, without arithmetic.
template <class T> struct alignas(2 * sizeof(T)) complex {
  T real, imag;
};

// N numbers for which CUDA has no vector.
template <class T, std::size_t N, std::size_t Alignment> struct alignas(Alignment) vector {
  T elements[N];
};

// CUDA 13 deprecates vectors of 32 bytes whose names do not give their alignment.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define TESSERA_INTEROP_OWN(ELEMENT, COUNT, ALIGNMENT) vector<ELEMENT, COUNT, ALIGNMENT>
#define TESSERA_INTEROP_NUMBER(NAME, TYPE, SIZE, ALIGNMENT, CODE, BITS)                            \
  using NAME = TYPE;                                                                               \
  static_assert(sizeof(NAME) == SIZE && alignof(NAME) == ALIGNMENT);                               \
  static_assert(BITS == 8 * SIZE && std::is_standard_layout_v<NAME>);
#define TESSERA_INTEROP_VECTOR(NAME, ELEMENT, COUNT, TYPE, SIZE, ALIGNMENT)                        \
  using NAME = TYPE;                                                                               \
  static_assert(sizeof(NAME) == SIZE && alignof(NAME) == ALIGNMENT);                               \
  static_assert(SIZE == COUNT * sizeof(ELEMENT) && std::is_standard_layout_v<NAME>);
#include "types.def"
#undef TESSERA_INTEROP_OWN
#pragma GCC diagnostic pop

// A T that is aligned to at least N bytes.
template <class T, std::size_t N> struct alignas(T) alignas(N) aligned {
  T value;
};

// A Python tuple: its elements are members in order, at C++'s offsets.
template <class... T> struct tuple;
template <> struct tuple<> {};
template <class A> struct tuple<A> {
  A _0;
};
template <class A, class B> struct tuple<A, B> {
  A _0;
  B _1;
};
template <class A, class B, class C> struct tuple<A, B, C> {
  A _0;
  B _1;
  C _2;
};
template <class A, class B, class C, class D> struct tuple<A, B, C, D> {
  A _0;
  B _1;
  C _2;
  D _3;
};
template <class A, class B, class C, class D, class E> struct tuple<A, B, C, D, E> {
  A _0;
  B _1;
  C _2;
  D _3;
  E _4;
};
template <class A, class B, class C, class D, class E, class F> struct tuple<A, B, C, D, E, F> {
  A _0;
  B _1;
  C _2;
  D _3;
  E _4;
  F _5;
};
template <class A, class B, class C, class D, class E, class F, class G>
struct tuple<A, B, C, D, E, F, G> {
  A _0;
  B _1;
  C _2;
  D _3;
  E _4;
  F _5;
  G _6;
};
template <class A, class B, class C, class D, class E, class F, class G, class H>
struct tuple<A, B, C, D, E, F, G, H> {
  A _0;
  B _1;
  C _2;
  D _3;
  E _4;
  F _5;
  G _6;
  H _7;
};

} // namespace tessera::interop
