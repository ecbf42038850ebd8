// The functions and operators of Python's numbers that Tile C++ lacks, on tiles and scalars: all of
// the module math that CUDA Python has, floor and true division with its types, complex numbers.
// For tile code; namespace tessera::math. On a GPU, CUDA's functions compute them, with their error
// bounds (docs/user/numerics.md); half and bf16 are computed in float.
#pragma once

#include <cuda_tile.h>

#ifndef TESSERA_HEADER_IS_EMPTY

#include <cstdint>
#include <type_traits>

namespace tessera::math {

namespace tiles = cuda::tiles;

// ---- functions of real numbers ----------------------------------------------------------------
using tiles::abs, tiles::min, tiles::max;
using tiles::atan2, tiles::pow, tiles::sqrt, tiles::exp, tiles::log;
using tiles::ceil, tiles::floor, tiles::isinf, tiles::isnan;
using tiles::sin, tiles::cos, tiles::tan, tiles::sinh, tiles::cosh, tiles::tanh;

#define TESSERA_MATH(NAME)                                                                         \
  template <tiles::basic_floating_point_tile T> TESSERA_API T NAME(T x) noexcept {                 \
    return tiles::__detail::unary<tiles::__prim::unary_op::NAME>(x);                               \
  }
TESSERA_MATH(acos)
TESSERA_MATH(asin)
TESSERA_MATH(atan)
TESSERA_MATH(acosh)
TESSERA_MATH(asinh)
TESSERA_MATH(atanh)
TESSERA_MATH(expm1)
TESSERA_MATH(log1p)
TESSERA_MATH(log10)
#undef TESSERA_MATH

template <tiles::basic_floating_point_tile T> TESSERA_API T fabs(T x) noexcept {
  return tiles::abs(x);
}

// The remainder of the truncating division, with the sign of x.
template <tiles::basic_floating_point_tile L, tiles::basic_floating_point_tile R>
  requires tiles::arithmetic_tile_convertible<L, R>
TESSERA_API auto fmod(L x, R y) noexcept {
  return tiles::remainder(x, y);
}

// x with the sign of y, and the length of (x, y) without intermediate overflow.
#define TESSERA_MATH(NAME)                                                                         \
  template <tiles::basic_floating_point_tile L, tiles::basic_floating_point_tile R>                \
    requires tiles::arithmetic_tile_convertible<L, R>                                              \
  TESSERA_API tiles::arithmetic_tile_conversion_t<L, R> NAME(L x, R y) noexcept {                  \
    using T = tiles::arithmetic_tile_conversion_t<L, R>;                                           \
    return tiles::__detail::binary<T, tiles::__prim::binary_op::NAME>(x, y);                       \
  }
TESSERA_MATH(copysign)
TESSERA_MATH(hypot)
#undef TESSERA_MATH

// ---- division ---------------------------------------------------------------------------------
namespace detail {
template <class T> using element_of = tiles::__detail::element_of<T>;
template <class L, class R> inline constexpr bool is_wide = sizeof(element_of<L>) > 4 ||
                                                            sizeof(element_of<R>) > 4;
template <class L, class R> inline constexpr bool are_integers =
    std::is_integral_v<element_of<L>> && std::is_integral_v<element_of<R>>;

// Integers of at least 32 bits, of the width of both integer operands or of the floating-point one.
template <class L, class R> struct whole {
  using type = std::conditional_t<is_wide<L, R>, std::int64_t, std::int32_t>;
};
template <class L, class R>
  requires are_integers<L, R>
struct whole<L, R> {
  using type = decltype(element_of<L>() + element_of<R>());
};

template <class E, class T> TESSERA_API auto as(T x) noexcept {
  if constexpr (tiles::__detail::is_tile<T>)
    return tiles::element_cast<E>(x);
  else
    return static_cast<E>(x);
}
} // namespace detail

// The elements of true division: double where an operand has 64 bits, else float.
template <class L, class R> using truediv_t =
    std::conditional_t<detail::is_wide<L, R>, double, float>;
// The elements of floor division: an integer of the common type's width, at least 32 bits.
template <class L, class R> using floordiv_t = typename detail::whole<L, R>::type;

// x / y as in Python: a floating-point number, also for integers.
template <tiles::arithmetic_tile L, tiles::arithmetic_tile R>
  requires tiles::__detail::mutually_broadcastable<L, R>
TESSERA_API auto truediv(L x, R y) noexcept {
  using E = truediv_t<L, R>;
  return detail::as<E>(x) / detail::as<E>(y);
}

// x // y: the quotient rounded down, an integer, also for floating-point operands. Undefined where
// the integer cannot hold it, and for an integer y of 0.
template <tiles::arithmetic_tile L, tiles::arithmetic_tile R>
  requires tiles::__detail::mutually_broadcastable<L, R>
TESSERA_API auto floordiv(L x, R y) noexcept {
  using E = floordiv_t<L, R>;
  if constexpr (detail::are_integers<L, R>)
    return tiles::floordiv(detail::as<E>(x), detail::as<E>(y));
  else
    return detail::as<E>(tiles::floor(truediv(x, y)));
}

// ---- complex numbers --------------------------------------------------------------------------
// T is float or double (complex64, complex128), or a tile of them. Operands broadcast and convert
// like their parts; the other operand may be real.
template <tiles::basic_floating_point_tile T>
  requires(sizeof(tiles::__detail::element_of<T>) >= 4)
struct complex {
  T real, imag;
};
template <class T> complex(T, T) -> complex<T>;

template <class L, class R> TESSERA_API auto operator+(complex<L> x, complex<R> y) noexcept {
  return complex{x.real + y.real, x.imag + y.imag};
}
template <class L, class R> TESSERA_API auto operator-(complex<L> x, complex<R> y) noexcept {
  return complex{x.real - y.real, x.imag - y.imag};
}
template <class T> TESSERA_API complex<T> operator-(complex<T> x) noexcept {
  return {-x.real, -x.imag};
}
template <class L, class R> TESSERA_API auto operator*(complex<L> x, complex<R> y) noexcept {
  return complex{x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real};
}
template <class L, tiles::arithmetic_tile R>
TESSERA_API auto operator*(complex<L> x, R y) noexcept {
  return complex{x.real * y, x.imag * y};
}
template <tiles::arithmetic_tile L, class R>
TESSERA_API auto operator*(L x, complex<R> y) noexcept {
  return complex{x * y.real, x * y.imag};
}
template <class L, tiles::arithmetic_tile R>
TESSERA_API auto operator/(complex<L> x, R y) noexcept {
  return complex{x.real / y, x.imag / y};
}
// Like CUDA's cuCdiv: both are scaled by the divisor's magnitude first, so that its squares neither
// overflow nor underflow.
template <class L, class R> TESSERA_API auto operator/(complex<L> x, complex<R> y) noexcept {
  const auto scale = 1.0f / (tiles::abs(y.real) + tiles::abs(y.imag));
  const auto a = x.real * scale, b = x.imag * scale;
  const auto c = y.real * scale, d = y.imag * scale;
  const auto inverse = 1.0f / (c * c + d * d);
  return complex{(a * c + b * d) * inverse, (b * c - a * d) * inverse};
}
template <class T> TESSERA_API T abs(complex<T> x) noexcept { return hypot(x.real, x.imag); }

} // namespace tessera::math

#endif
