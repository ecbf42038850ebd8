// Whole tiles: fragments of which one thread holds all elements, in row-major order. Kernels for
// the CPU have blocks of one thread and no other fragments; what is said of their tiles is computed
// by the bodies of the primitives (tile/cpu), whose loops vectorize.
//
// A fragment and the lanes of a primitive are the same bytes; kernels are compiled with
// -fno-strict-aliasing.
#pragma once

#include "../fragment.cuh"
#include "../tile/primitives.h"

#include <new>

namespace tessera {

// The layout of a fragment that is a whole tile.
template <class Shape> struct whole {
  using shape = Shape;
  static constexpr int rank = Shape::rank;
  static constexpr int size = Shape::size;
  static constexpr int register_count = size;
  static constexpr bool is_disjoint = true;

  static constexpr int element(int r) { return r; }
  static constexpr int register_of(int element) { return element; }
  static constexpr int thread_element() { return 0; }
  static constexpr bool is_owner() { return true; }
};

namespace detail {

namespace prim = cuda::tiles::__prim;

// The element type of the language that generated code calls T.
template <class T> struct language_element {
  using type = T;
};
template <> struct language_element<tf32> {
  using type = __nv_tf32;
};
template <class T> struct language_element<T *> {
  using type = typename language_element<T>::type *;
};

template <class Shape> struct static_extents {
  static constexpr int rank() { return Shape::rank; }
  static constexpr long long static_extent(int dim) { return Shape::extent(dim); }
  static constexpr unsigned long long static_size() { return Shape::size; }
};

// What primitives ask of ct::tile.
template <class T, class Shape> struct tile_of {
  using element_type = typename language_element<T>::type;
  using shape_type = static_extents<Shape>;
};
template <class T, class Shape> using lanes_of = prim::lanes<tile_of<T, Shape>>;

// The lanes of x, read as elements of the type As.
template <class As, class T, class S>
const lanes_of<As, S> &as_lanes(const fragment<T, whole<S>> &x) {
  static_assert(sizeof(lanes_of<As, S>) == sizeof x, "a lane has the bytes of an element");
  return reinterpret_cast<const lanes_of<As, S> &>(x);
}

// A fragment with the lanes that compute() returns, of elements of the type As; they are computed
// where the fragment is.
template <class T, class As, class S, class Compute>
fragment<T, whole<S>> from_lanes(Compute compute) {
  static_assert(sizeof(lanes_of<As, S>) == sizeof(fragment<T, whole<S>>),
                "a lane has the bytes of an element");
  fragment<T, whole<S>> y;
  ::new (static_cast<void *>(&y)) lanes_of<As, S>(compute());
  return y;
}

constexpr cuda::tiles::rounding_mode mode_of(rounding r) {
  using mode = cuda::tiles::rounding_mode;
  switch (r) {
  case rounding::nearest: return mode::round_ties_to_even;
  case rounding::toward_zero: return mode::round_toward_zero;
  case rounding::toward_negative: return mode::round_toward_negative;
  case rounding::toward_positive: return mode::round_toward_positive;
  case rounding::approximate: return mode::round_approximate;
  case rounding::full: return mode::round_full;
  }
}
constexpr cuda::tiles::subnormals_rounding_mode subnormals_of(bool flush) {
  using mode = cuda::tiles::subnormals_rounding_mode;
  return flush ? mode::round_subnormals_to_zero : mode::preserve_subnormals;
}

} // namespace detail
} // namespace tessera
