// Arithmetic: + - * / % and their functions, min, max, fma, abs, integer divisions, bitwise
// operations and shifts. [tile:arithmetic_operations]
//
// Operators take at least one tile; functions take scalars too and then return scalars. Operands go
// through the arithmetic conversion and broadcast. Signed overflow and division by zero of integers
// are undefined.
#pragma once

#include "convert.h"

namespace cuda::tiles {

namespace __detail {
template <class L, class R>
concept tile_operands = any_tile<L, R> && arithmetic_tile_convertible<L, R>;
template <class L, class R>
concept integral_operands =
    integral_tile<L> && integral_tile<R> && arithmetic_tile_convertible<L, R>;

// The modes that an element type supports.
template <rounding_mode M> inline constexpr bool is_precise =
    M != rounding_mode::round_approximate && M != rounding_mode::round_full;
template <class E, subnormals_rounding_mode S> inline constexpr bool flushes =
    S == keep_subnormals || is_same<E, float>;
template <class E, rounding_mode M, subnormals_rounding_mode S>
concept precise_modes = basic_floating_point_scalar<E> && is_precise<M> && flushes<E, S>;
template <class E, rounding_mode M, subnormals_rounding_mode S>
concept division_modes = precise_modes<E, M, S> || (is_same<E, float> && !is_precise<M>);
template <class E, nan_propagation_mode, subnormals_rounding_mode S>
concept nan_modes = basic_floating_point_scalar<E> && flushes<E, S>;

template <nan_propagation_mode N> inline constexpr bool propagates =
    N == nan_propagation_mode::propagate_nan;
} // namespace __detail

// OP(l, r), l OP r, and OP(l, r, rounding[, subnormals]) for floating point.
#define TESSERA_ARITHMETIC(OPERATOR, NAME, MODES)                                                  \
  template <arithmetic_tile L, arithmetic_tile R>                                                  \
    requires __detail::tile_operands<L, R>                                                         \
  TESSERA_API arithmetic_tile_conversion_t<L, R> operator OPERATOR(__prim::arg<L> l,               \
                                                                   __prim::arg<R> r) noexcept {    \
    return __detail::binary<arithmetic_tile_conversion_t<L, R>, __prim::binary_op::NAME>(l, r);    \
  }                                                                                                \
  template <arithmetic_tile L, arithmetic_tile R>                                                  \
    requires arithmetic_tile_convertible<L, R>                                                     \
  TESSERA_API arithmetic_tile_conversion_t<L, R> NAME(__prim::arg<L> l,                            \
                                                      __prim::arg<R> r) noexcept {                 \
    return __detail::binary<arithmetic_tile_conversion_t<L, R>, __prim::binary_op::NAME>(l, r);    \
  }                                                                                                \
  template <rounding_mode Mode = default_rounding_mode(),                                          \
            subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),                 \
            arithmetic_tile L, arithmetic_tile R>                                                  \
    requires arithmetic_tile_convertible<L, R> &&                                                  \
             __detail::MODES<__detail::converted_element<L, R>, Mode, SubMode>                     \
  TESSERA_API arithmetic_tile_conversion_t<L, R> NAME(                                             \
      __prim::arg<L> l, __prim::arg<R> r, rounding_mode_constant<Mode>,                            \
      subnormals_rounding_mode_constant<SubMode> = {}) noexcept {                                  \
    return __detail::binary<arithmetic_tile_conversion_t<L, R>, __prim::binary_op::NAME, Mode,     \
                            SubMode>(l, r);                                                        \
  }

TESSERA_ARITHMETIC(+, add, precise_modes)
TESSERA_ARITHMETIC(-, sub, precise_modes)
TESSERA_ARITHMETIC(*, mul, precise_modes)
TESSERA_ARITHMETIC(/, div, division_modes) // also approximate and full, for float
#undef TESSERA_ARITHMETIC

// l OP r for integers and bool.
#define TESSERA_INTEGER_OPERATOR(OPERATOR, NAME)                                                   \
  template <integral_tile L, integral_tile R>                                                      \
    requires __detail::tile_operands<L, R>                                                         \
  TESSERA_API arithmetic_tile_conversion_t<L, R> operator OPERATOR(__prim::arg<L> l,               \
                                                                   __prim::arg<R> r) noexcept {    \
    return __detail::binary<arithmetic_tile_conversion_t<L, R>, __prim::binary_op::NAME>(l, r);    \
  }

TESSERA_INTEGER_OPERATOR(%, rem)
TESSERA_INTEGER_OPERATOR(&, bit_and)
TESSERA_INTEGER_OPERATOR(|, bit_or)
TESSERA_INTEGER_OPERATOR(^, bit_xor)
#undef TESSERA_INTEGER_OPERATOR

// x << n, x >> n: the element type of x, in the mutual broadcast shape; n has any integral type and
// is not negative.
#define TESSERA_SHIFT(OPERATOR, NAME)                                                              \
  template <integral_tile L, integral_tile R>                                                      \
    requires(__detail::any_tile<L, R> && __detail::mutually_broadcastable<L, R>)                   \
  TESSERA_API mutual_broadcast_t<L, R, __detail::element_of<L>> operator OPERATOR(                 \
      __prim::arg<L> l, __prim::arg<R> r) noexcept {                                               \
    return __detail::binary<mutual_broadcast_t<L, R, __detail::element_of<L>>,                     \
                            __prim::binary_op::NAME>(l, r);                                        \
  }

TESSERA_SHIFT(<<, shl)
TESSERA_SHIFT(>>, shr)
#undef TESSERA_SHIFT

// The remainder of the truncating division, also of floating point: the sign is that of l.
template <arithmetic_tile L, arithmetic_tile R>
  requires arithmetic_tile_convertible<L, R>
TESSERA_API arithmetic_tile_conversion_t<L, R> remainder(__prim::arg<L> l,
                                                         __prim::arg<R> r) noexcept {
  return __detail::binary<arithmetic_tile_conversion_t<L, R>, __prim::binary_op::rem>(l, r);
}

// The quotient of integers, rounded down.
template <integral_tile L, integral_tile R>
  requires __detail::integral_operands<L, R>
TESSERA_API arithmetic_tile_conversion_t<L, R> floordiv(__prim::arg<L> l,
                                                        __prim::arg<R> r) noexcept {
  return __detail::binary<arithmetic_tile_conversion_t<L, R>, __prim::binary_op::floordiv>(l, r);
}

// The quotient of integers, rounded up.
template <integral_tile L, integral_tile R>
  requires __detail::integral_operands<L, R>
TESSERA_API arithmetic_tile_conversion_t<L, R> ceildiv(__prim::arg<L> l,
                                                       __prim::arg<R> r) noexcept {
  return __detail::binary<arithmetic_tile_conversion_t<L, R>, __prim::binary_op::ceildiv>(l, r);
}

// The upper half of the bits of the product, both operands read as unsigned.
template <integral_tile L, integral_tile R>
  requires __detail::integral_operands<L, R>
TESSERA_API arithmetic_tile_conversion_t<L, R> mulhi(__prim::arg<L> l, __prim::arg<R> r) noexcept {
  return __detail::binary<arithmetic_tile_conversion_t<L, R>, __prim::binary_op::mulhi>(l, r);
}

// The smaller (larger) element. Of a NaN and a number, the number, unless propagate_nan is given
// (floating point only).
#define TESSERA_MIN_MAX(NAME)                                                                      \
  template <arithmetic_tile L, arithmetic_tile R>                                                  \
    requires arithmetic_tile_convertible<L, R>                                                     \
  TESSERA_API arithmetic_tile_conversion_t<L, R> NAME(__prim::arg<L> l,                            \
                                                      __prim::arg<R> r) noexcept {                 \
    return __detail::binary<arithmetic_tile_conversion_t<L, R>, __prim::binary_op::NAME>(l, r);    \
  }                                                                                                \
  template <nan_propagation_mode Mode = default_nan_propagation_mode(),                            \
            subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),                 \
            arithmetic_tile L, arithmetic_tile R>                                                  \
    requires arithmetic_tile_convertible<L, R> &&                                                  \
             __detail::nan_modes<__detail::converted_element<L, R>, Mode, SubMode>                 \
  TESSERA_API arithmetic_tile_conversion_t<L, R> NAME(                                             \
      __prim::arg<L> l, __prim::arg<R> r, nan_propagation_mode_constant<Mode>,                     \
      subnormals_rounding_mode_constant<SubMode> = {}) noexcept {                                  \
    constexpr auto op =                                                                            \
        __detail::propagates<Mode> ? __prim::binary_op::NAME##_nan : __prim::binary_op::NAME;      \
    return __detail::binary<arithmetic_tile_conversion_t<L, R>, op, __detail::nearest, SubMode>(   \
        l, r);                                                                                     \
  }

TESSERA_MIN_MAX(min)
TESSERA_MIN_MAX(max)
#undef TESSERA_MIN_MAX

// x * y + z, rounded once. The result has the type of z; x and y convert to its element type
// without narrowing and broadcast to its shape.
template <rounding_mode Mode = default_rounding_mode(),
          subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          basic_floating_point_tile A, basic_floating_point_tile B, basic_floating_point_tile C>
  requires broadcastable_to<A, tile_shape_t<C>> && broadcastable_to<B, tile_shape_t<C>> &&
           (__detail::fits<__detail::element_of<A>, __detail::element_of<C>>()) &&
           (__detail::fits<__detail::element_of<B>, __detail::element_of<C>>()) &&
           __detail::precise_modes<__detail::element_of<C>, Mode, SubMode>
TESSERA_API C fma(__prim::arg<A> x, __prim::arg<B> y, __prim::arg<C> z,
                  rounding_mode_constant<Mode> = {},
                  subnormals_rounding_mode_constant<SubMode> = {}) noexcept {
  using T = __detail::as_tile<C>;
  return __detail::wrap<C>(TESSERA_IN_PLACE(__prim::fma<Mode, SubMode, T>(
      __detail::operand<T>(x), __detail::operand<T>(y), __detail::operand<T>(z))));
}

// -x and ~x keep the type; +x performs the integral promotion.
template <arithmetic_tile T>
  requires __detail::is_tile<T>
TESSERA_API T operator-(__prim::arg<T> x) noexcept {
  return __detail::unary<__prim::unary_op::neg>(x);
}
template <integral_tile T>
  requires __detail::is_tile<T>
TESSERA_API T operator~(__prim::arg<T> x) noexcept {
  return __detail::unary<__prim::unary_op::bit_not>(x);
}
template <arithmetic_tile T>
  requires __detail::is_tile<T>
TESSERA_API arithmetic_tile_promotion_t<T> operator+(__prim::arg<T> x) noexcept {
  using R = arithmetic_tile_promotion_t<T>;
  return __detail::wrap<R>(TESSERA_IN_PLACE(__detail::operand<R>(x)));
}
template <pointer_tile T>
  requires __detail::is_tile<T>
TESSERA_API T operator+(__prim::arg<T> x) noexcept {
  return x;
}

// The absolute value; unsigned and bool elements are returned as they are.
template <arithmetic_tile T> TESSERA_API T abs(__prim::arg<T> x) noexcept {
  if constexpr (__detail::is_integral<__detail::element_of<T>> &&
                !__detail::is_signed<__detail::element_of<T>>)
    return x;
  else
    return __detail::unary<__prim::unary_op::abs>(x);
}

} // namespace cuda::tiles
