// Tile creation: full, zeros, ones, iota; and element conversion: element_cast, element_bitcast,
// select. [tile:tile_operations]
#pragma once

#include "arithmetic.h"

namespace cuda::tiles {

namespace __detail {
template <class E> inline constexpr lane_of<E> one_lane = 1;
#define TESSERA_FLOAT_CLASS(KIND, NAME, CLASS, LANE, BITS, RANK, MLIR, ONE, FORMAT)                \
  template <> inline constexpr lane_of<CLASS> one_lane<CLASS> = ONE;
#include "../elements.def"

template <class T> consteval bool counts_to_the_end() {
  constexpr int bits = bit_width<element_of<T>> - is_signed<element_of<T>>;
  return bits >= 25 || shape_of<T>::static_size() <= size_t(1) << bits;
}

// Floating-point targets of element_cast by rounding mode.
template <class E, rounding_mode M>
concept cast_mode = floating_point_scalar<E> &&
                    (M == nearest ||
                     (M == rounding_mode::round_toward_zero &&
                      (float_rank<E> >= float_rank<__half>) && !is_same<E, __nv_fp8_e8m0>) ||
                     (is_precise<M> && is_one_of<E, float, double>));
template <class T, class E>
concept castable =
    (numeric_tile<T> && numeric_scalar<E>) ||
    (pointer_tile<T> && (is_same<remove_cv_t<E>, bool> ||
                         (pointer_scalar<E> && fits<element_of<T>, remove_cv_t<E>>())));

template <class T, class U>
concept same_bits = scalar<T> && scalar<U> && !is_same<T, __nv_tf32> && !is_same<U, __nv_tf32> &&
                    (sizeof(lane_of<T>) == sizeof(lane_of<U>)) &&
                    (is_same<T, __nv_fp4_e2m1> == is_same<U, __nv_fp4_e2m1>);
} // namespace __detail

// Every element x; T is the type of the result, a tile or a scalar.
template <tile_like T> TESSERA_API __detail::remove_cv_t<T> full(tile_element_t<T> x) noexcept {
  return __detail::wrap<__detail::remove_cv_t<T>>(TESSERA_IN_PLACE(
      __prim::splat<__detail::as_tile<T>>(__detail::to_lane<tile_element_t<T>>(x))));
}

// Every element 0.
template <numeric_tile T>
  requires(!__detail::is_same<__detail::element_of<T>, __nv_fp8_e8m0>)
TESSERA_API __detail::remove_cv_t<T> zeros() noexcept {
  return __detail::wrap<__detail::remove_cv_t<T>>(
      TESSERA_IN_PLACE(__prim::splat<__detail::as_tile<T>>(0)));
}

// Every element 1.
template <numeric_tile T> TESSERA_API __detail::remove_cv_t<T> ones() noexcept {
  return __detail::wrap<__detail::remove_cv_t<T>>(TESSERA_IN_PLACE(
      __prim::splat<__detail::as_tile<T>>(__detail::one_lane<__detail::element_of<T>>)));
}

// 0, 1, 2, ... in row-major order; the last value fits the element type.
template <integral_tile T>
  requires(__detail::counts_to_the_end<T>())
TESSERA_API __detail::remove_cv_t<T> iota() noexcept {
  return __detail::wrap<__detail::remove_cv_t<T>>(
      TESSERA_IN_PLACE(__prim::iota<__detail::as_tile<T>>()));
}

// Every element converted to E, narrowing or not; pointers only to bool, to void and to more const.
template <scalar E, tile_like T>
  requires __detail::castable<T, E>
TESSERA_API tile_with_element_t<T, E> element_cast(__prim::arg<T> x) noexcept {
  using R = tile_with_element_t<T, E>;
  return __detail::wrap<R>(TESSERA_IN_PLACE(__detail::operand<__detail::as_tile<R>>(x)));
}

// The same between floating-point types with a rounding mode.
template <floating_point_scalar E, rounding_mode Mode, floating_point_tile T>
  requires __detail::cast_mode<E, Mode>
TESSERA_API tile_with_element_t<T, E> element_cast(__prim::arg<T> x,
                                                   rounding_mode_constant<Mode>) noexcept {
  using R = tile_with_element_t<T, E>;
  using A = __detail::as_tile<T>;
  return __detail::wrap<R>(
      TESSERA_IN_PLACE(__prim::cast<__detail::as_tile<R>, A, Mode>(__detail::operand<A>(x))));
}

// The bits of every element read as an E of the same width.
template <scalar E, tile_like T>
  requires __detail::same_bits<__detail::element_of<T>, __detail::remove_cv_t<E>>
TESSERA_API tile_with_element_t<T, E> element_bitcast(__prim::arg<T> x) noexcept {
  using R = tile_with_element_t<T, E>;
  using A = __detail::as_tile<T>;
  return __detail::wrap<R>(
      TESSERA_IN_PLACE(__prim::bitcast<__detail::as_tile<R>, A>(__detail::operand<A>(x))));
}

// The elements of x where the condition holds, those of y elsewhere. x and y have one type; the
// condition broadcasts to them.
template <bool_tile_convertible C, tile_like T>
  requires broadcastable_to<C, tile_shape_t<T>>
TESSERA_API T select(__prim::arg<C> condition, __prim::arg<T> x, __prim::arg<T> y) noexcept {
  using M = tile<bool, tile_shape_t<T>>;
  using A = __detail::as_tile<T>;
  return __detail::wrap<T>(TESSERA_IN_PLACE(__prim::select<A, M>(
      __detail::operand<M>(condition), __detail::operand<A>(x), __detail::operand<A>(y))));
}

} // namespace cuda::tiles
