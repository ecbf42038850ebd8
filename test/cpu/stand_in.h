// Stand-in tile types, so that the bodies of the primitives are tested below the public header.
#pragma once

#ifndef TESSERA_TARGET_CPU
#define TESSERA_TARGET_CPU
#endif
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp8.h>

#include <tessera/tile/primitives.h>

namespace test {

namespace prim = cuda::tiles::__prim;
using cuda::tiles::memory_order;
using cuda::tiles::rounding_mode;
using cuda::tiles::subnormals_rounding_mode;
using cuda::tiles::thread_scope;
using cuda::tiles::view_padding;

template <unsigned long long... D> struct extents {
  static constexpr unsigned long long rank() { return sizeof...(D); }
  static constexpr unsigned long long static_extent(unsigned long long d) {
    constexpr unsigned long long all[] = {D..., 1};
    return all[d];
  }
  static constexpr unsigned long long static_size() { return (D * ... * 1); }
};

template <class E, unsigned long long... D> struct tile {
  using element_type = E;
  using shape_type = extents<D...>;
};

template <class T> using lanes = prim::lanes<T>;

inline constexpr auto nearest = rounding_mode::round_ties_to_even;
inline constexpr auto keep = subnormals_rounding_mode::preserve_subnormals;
inline constexpr auto flush = subnormals_rounding_mode::round_subnormals_to_zero;

// Lanes from values, in row-major order; what is not given is zero.
template <class T, class... V> lanes<T> of(V... values) { return {{prim::lane_t<T>(values)...}}; }

template <class T, class F> lanes<T> from(F f) {
  lanes<T> r;
  for (unsigned long long i = 0; i < T::shape_type::static_size(); i++)
    r.v[i] = prim::lane_t<T>(f(i));
  return r;
}

} // namespace test
