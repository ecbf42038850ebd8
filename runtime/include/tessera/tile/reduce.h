// Reductions and scans along one dimension. [tile:reductions_and_scans]
//
// The dimension is a template argument or a constant wrapper. A reduction keeps it with extent 1, a
// scan keeps the shape. Element types do not widen. The order of the operations is not specified.
#pragma once

#include "arithmetic.h"
#include "shape_ops.h"

namespace cuda::tiles {

namespace __detail {
template <class T, auto Dim> using reduced = with_extent<T, size_t(Dim), 1>;

template <class R, __prim::reduce_op Op, auto Dim, rounding_mode Round = nearest,
          subnormals_rounding_mode Sub = keep_subnormals, class T>
TESSERA_API R reduce(const T &x) noexcept {
  return access::make<R>(
      TESSERA_IN_PLACE(__prim::reduce<Op, int(Dim), Round, Sub, R, T>(access::lanes(x))));
}
template <__prim::reduce_op Op, auto Dim, scan_direction Dir, rounding_mode Round = nearest,
          subnormals_rounding_mode Sub = keep_subnormals, class T>
TESSERA_API T scan(const T &x) noexcept {
  return access::make<T>(
      TESSERA_IN_PLACE(__prim::scan<Op, int(Dim), Dir == scan_direction::backward, Round, Sub, T>(
          access::lanes(x))));
}
} // namespace __detail

// NAME<d>(x), NAME(x, d_ic) for elements that satisfy CONCEPT.
#define TESSERA_REDUCTION(NAME, CONCEPT, OP)                                                       \
  template <auto Dim, CONCEPT T>                                                                   \
    requires __detail::dimension_of<T, Dim>                                                        \
  TESSERA_API __detail::reduced<T, Dim> NAME(__prim::arg<T> x) noexcept {                          \
    return __detail::reduce<__detail::reduced<T, Dim>, __prim::reduce_op::OP, Dim>(x);             \
  }                                                                                                \
  template <auto Dim, CONCEPT T>                                                                   \
    requires __detail::dimension_of<T, Dim>                                                        \
  TESSERA_API __detail::reduced<T, Dim> NAME(__prim::arg<T> x, integral_constant<Dim>) noexcept {  \
    return __detail::reduce<__detail::reduced<T, Dim>, __prim::reduce_op::OP, Dim>(x);             \
  }

// NAME(x, d_ic, rounding[, subnormals]) for floating point.
#define TESSERA_ROUNDED_REDUCTION(NAME)                                                            \
  template <auto Dim, rounding_mode Mode = default_rounding_mode(),                                \
            subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),                 \
            basic_floating_point_tile T>                                                           \
    requires __detail::dimension_of<T, Dim> &&                                                     \
             __detail::precise_modes<__detail::element_of<T>, Mode, SubMode>                       \
  TESSERA_API __detail::reduced<T, Dim> NAME(                                                      \
      __prim::arg<T> x, integral_constant<Dim>, rounding_mode_constant<Mode>,                      \
      subnormals_rounding_mode_constant<SubMode> = {}) noexcept {                                  \
    return __detail::reduce<__detail::reduced<T, Dim>, __prim::reduce_op::NAME, Dim, Mode,         \
                            SubMode>(x);                                                           \
  }

// NAME(x, d_ic, nan[, subnormals]) for floating point.
#define TESSERA_NAN_REDUCTION(NAME, OP)                                                            \
  template <auto Dim, nan_propagation_mode Mode = default_nan_propagation_mode(),                  \
            subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),                 \
            basic_floating_point_tile T>                                                           \
    requires __detail::dimension_of<T, Dim> &&                                                     \
             __detail::nan_modes<__detail::element_of<T>, Mode, SubMode>                           \
  TESSERA_API __detail::reduced<T, Dim> NAME(                                                      \
      __prim::arg<T> x, integral_constant<Dim>, nan_propagation_mode_constant<Mode>,               \
      subnormals_rounding_mode_constant<SubMode> = {}) noexcept {                                  \
    constexpr auto op =                                                                            \
        __detail::propagates<Mode> ? __prim::reduce_op::OP##_nan : __prim::reduce_op::OP;          \
    return __detail::reduce<__detail::reduced<T, Dim>, op, Dim, __detail::nearest, SubMode>(x);    \
  }

TESSERA_REDUCTION(sum, arithmetic_tile, sum)
TESSERA_ROUNDED_REDUCTION(sum)
TESSERA_REDUCTION(prod, arithmetic_tile, prod)
TESSERA_ROUNDED_REDUCTION(prod)
TESSERA_REDUCTION(reduce_max, arithmetic_tile, max)
TESSERA_NAN_REDUCTION(reduce_max, max)
TESSERA_REDUCTION(reduce_min, arithmetic_tile, min)
TESSERA_NAN_REDUCTION(reduce_min, min)
TESSERA_REDUCTION(reduce_bitand, integral_tile, bit_and)
TESSERA_REDUCTION(reduce_bitor, integral_tile, bit_or)
TESSERA_REDUCTION(reduce_bitxor, integral_tile, bit_xor)
#undef TESSERA_REDUCTION
#undef TESSERA_ROUNDED_REDUCTION
#undef TESSERA_NAN_REDUCTION

// The index (unsigned int) of the maximum (minimum) element along the dimension, the first of equal
// ones.
#define TESSERA_ARG_REDUCTION(NAME, OP)                                                            \
  template <auto Dim, arithmetic_tile T>                                                           \
    requires __detail::dimension_of<T, Dim>                                                        \
  TESSERA_API tile_with_element_t<__detail::reduced<T, Dim>, unsigned> NAME(                       \
      __prim::arg<T> x, integral_constant<Dim> = {}) noexcept {                                    \
    return __detail::reduce<tile_with_element_t<__detail::reduced<T, Dim>, unsigned>,              \
                            __prim::reduce_op::OP, Dim>(x);                                        \
  }

TESSERA_ARG_REDUCTION(max_element, argmax)
TESSERA_ARG_REDUCTION(min_element, argmin)
#undef TESSERA_ARG_REDUCTION

// Are all (any) of the elements, converted to bool, true?
#define TESSERA_BOOL_REDUCTION(NAME, OP)                                                           \
  template <auto Dim, bool_tile_convertible T>                                                     \
    requires __detail::dimension_of<T, Dim>                                                        \
  TESSERA_API tile_with_element_t<__detail::reduced<T, Dim>, bool> NAME(                           \
      __prim::arg<T> x, integral_constant<Dim> = {}) noexcept {                                    \
    using M = tile_with_element_t<T, bool>;                                                        \
    return __detail::reduce<__detail::reduced<M, Dim>, __prim::reduce_op::OP, Dim>(                \
        __detail::access::make<M>(TESSERA_IN_PLACE(__detail::operand<M>(x))));                     \
  }

TESSERA_BOOL_REDUCTION(all_of, bit_and)
TESSERA_BOOL_REDUCTION(any_of, bit_or)
#undef TESSERA_BOOL_REDUCTION

// The inclusive running sum (product) along the dimension, from the front or from the back:
// NAME<d[, direction]>(x), NAME(x, d_ic[, direction]), and for floating point NAME(x, d_ic,
// rounding[, subnormals[, direction]]).
#define TESSERA_SCAN(NAME, OP)                                                                     \
  template <auto Dim, scan_direction Dir = scan_direction::forward, arithmetic_tile T>             \
    requires __detail::dimension_of<T, Dim>                                                        \
  TESSERA_API T NAME(__prim::arg<T> x) noexcept {                                                  \
    return __detail::scan<__prim::reduce_op::OP, Dim, Dir>(x);                                     \
  }                                                                                                \
  template <auto Dim, scan_direction Dir = scan_direction::forward, arithmetic_tile T>             \
    requires __detail::dimension_of<T, Dim>                                                        \
  TESSERA_API T NAME(__prim::arg<T> x, integral_constant<Dim>,                                     \
                     scan_direction_constant<Dir> = {}) noexcept {                                 \
    return __detail::scan<__prim::reduce_op::OP, Dim, Dir>(x);                                     \
  }                                                                                                \
  template <auto Dim, rounding_mode Mode = default_rounding_mode(),                                \
            subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),                 \
            scan_direction Dir = scan_direction::forward, basic_floating_point_tile T>             \
    requires __detail::dimension_of<T, Dim> &&                                                     \
             __detail::precise_modes<__detail::element_of<T>, Mode, SubMode>                       \
  TESSERA_API T NAME(__prim::arg<T> x, integral_constant<Dim>, rounding_mode_constant<Mode>,       \
                     subnormals_rounding_mode_constant<SubMode> = {},                              \
                     scan_direction_constant<Dir> = {}) noexcept {                                 \
    return __detail::scan<__prim::reduce_op::OP, Dim, Dir, Mode, SubMode>(x);                      \
  }

TESSERA_SCAN(partial_sum, sum)
TESSERA_SCAN(partial_prod, prod)
#undef TESSERA_SCAN

} // namespace cuda::tiles
