// Math functions, element by element, on tiles and scalars of basic floating point.
// [tile:math_operations]
//
// half and bf16 are computed in float. Explicit template arguments are modes only.
#pragma once

#include "arithmetic.h"

namespace cuda::tiles {

namespace __detail {
template <class E, rounding_mode M>
concept full_or_approximate = basic_floating_point_scalar<E> &&
                              (M == rounding_mode::round_full ||
                               (M == rounding_mode::round_approximate && is_same<E, float>));
template <class E, rounding_mode M, subnormals_rounding_mode S>
concept root_modes =
    precise_modes<E, M, S> || (is_same<E, float> && M == rounding_mode::round_approximate);
template <class B, class X> struct power {
  using type = void;
};
template <class B, class X>
  requires basic_floating_point_tile<B> && integral_tile<X> && mutually_broadcastable<B, X>
struct power<B, X> {
  using type = mutual_broadcast_t<B, X, element_of<B>>;
};
template <class B, class X>
  requires basic_floating_point_tile<B> && basic_floating_point_tile<X> &&
           arithmetic_tile_convertible<B, X>
struct power<B, X> {
  using type = arithmetic_tile_conversion_t<B, X>;
};
template <class B, class X> using power_t = typename power<B, X>::type;
} // namespace __detail

// NAME of C's math library; errors, in units of the last place, are in docs/user/numerics.md.
#define TESSERA_MATH_1(NAME, CPU, C)                                                               \
  template <basic_floating_point_tile T> TESSERA_API T NAME(__prim::arg<T> x) noexcept {           \
    return __detail::unary<__prim::unary_op::NAME>(x);                                             \
  }
#include "../ops.def"

// e to the x, and the hyperbolic tangent: full precision, or approximate for float.
#define TESSERA_MATH(NAME)                                                                         \
  template <rounding_mode Mode = rounding_mode::round_full, basic_floating_point_tile T>           \
    requires __detail::full_or_approximate<__detail::element_of<T>, Mode>                          \
  TESSERA_API T NAME(__prim::arg<T> x, rounding_mode_constant<Mode> = {}) noexcept {               \
    return __detail::unary<__prim::unary_op::NAME, Mode>(x);                                       \
  }

TESSERA_MATH(exp)
TESSERA_MATH(tanh)
#undef TESSERA_MATH

// 2 to the x, and 1 over the square root; float may flush subnormals.
#define TESSERA_MATH(NAME)                                                                         \
  template <subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),                 \
            basic_floating_point_tile T>                                                           \
    requires __detail::flushes<__detail::element_of<T>, SubMode>                                   \
  TESSERA_API T NAME(__prim::arg<T> x, subnormals_rounding_mode_constant<SubMode> = {}) noexcept { \
    return __detail::unary<__prim::unary_op::NAME, __detail::nearest, SubMode>(x);                 \
  }

TESSERA_MATH(exp2)
TESSERA_MATH(rsqrt)
#undef TESSERA_MATH

// The square root, correctly rounded; approximate for float on request.
template <rounding_mode Mode = default_rounding_mode(),
          subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          basic_floating_point_tile T>
  requires __detail::root_modes<__detail::element_of<T>, Mode, SubMode>
TESSERA_API T sqrt(__prim::arg<T> x, rounding_mode_constant<Mode> = {},
                   subnormals_rounding_mode_constant<SubMode> = {}) noexcept {
  return __detail::unary<__prim::unary_op::sqrt, Mode, SubMode>(x);
}

// base to the exponent. With an integral exponent, the result has the element type of the base.
template <basic_floating_point_tile B, arithmetic_tile X>
  requires(!__detail::is_same<__detail::power_t<B, X>, void>)
TESSERA_API __detail::power_t<B, X> pow(__prim::arg<B> base, __prim::arg<X> exponent) noexcept {
  return __detail::binary<__detail::power_t<B, X>, __prim::binary_op::pow>(base, exponent);
}

// The angle of the point (x, y).
template <arithmetic_tile Y, arithmetic_tile X>
  requires arithmetic_tile_convertible<Y, X> &&
           basic_floating_point_tile<arithmetic_tile_conversion_t<Y, X>>
TESSERA_API arithmetic_tile_conversion_t<Y, X> atan2(__prim::arg<Y> y, __prim::arg<X> x) noexcept {
  return __detail::binary<arithmetic_tile_conversion_t<Y, X>, __prim::binary_op::atan2>(y, x);
}

// Is each element a NaN (an infinity)?
template <floating_point_tile T>
TESSERA_API tile_with_element_t<T, bool> isnan(__prim::arg<T> x) noexcept {
  using R = tile_with_element_t<T, bool>;
  return __detail::wrap<R>(TESSERA_IN_PLACE(
      __prim::classify<__prim::classify_op::isnan, __detail::as_tile<R>, __detail::as_tile<T>>(
          __detail::operand<__detail::as_tile<T>>(x))));
}
template <floating_point_tile T>
TESSERA_API tile_with_element_t<T, bool> isinf(__prim::arg<T> x) noexcept {
  using R = tile_with_element_t<T, bool>;
  return __detail::wrap<R>(TESSERA_IN_PLACE(
      __prim::classify<__prim::classify_op::isinf, __detail::as_tile<R>, __detail::as_tile<T>>(
          __detail::operand<__detail::as_tile<T>>(x))));
}

} // namespace cuda::tiles
