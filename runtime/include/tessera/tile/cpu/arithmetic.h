// The operations on one or two values that `unary`, `binary` and the reductions apply to every
// element.
//
// Rounding to nearest, on the values of element.h. Each is one expression, without branches where
// the machine allows it.
#pragma once

#include "element.h"
#include "extended.h"
#include "functions.h"

#include <cmath>

namespace cuda::tiles::__prim::cpu {

template <class T> inline constexpr bool is_integer = ::std::is_integral_v<T>;
template <class T> inline constexpr unsigned width = sizeof(T) * 8;

// ---- integers ---------------------------------------------------------------------------------
// Division never traps: x / 0 is all ones and x % 0 is x, as on a GPU; the minimum divided by -1
// wraps.
template <class T> T quotient(T x, T y) {
  if constexpr (::std::is_signed_v<T>) {
    const T safe = y == 0 || y == -1 ? T(1) : y;
    return y == 0 ? T(-1) : y == -1 ? T(-wrapping<T>(x)) : T(x / safe);
  } else {
    return y == 0 ? T(-1) : T(x / (y == 0 ? T(1) : y));
  }
}
template <class T> T remainder(T x, T y) {
  return T(wrapping<T>(x) - wrapping<T>(y == 0 ? T(0) : quotient(x, y)) * wrapping<T>(y));
}

template <class T> T floor_quotient(T x, T y) {
  const T q = quotient(x, y), r = remainder(x, y);
  return y != 0 && r != 0 && (r < 0) != (y < 0) ? T(q - 1) : q;
}
template <class T> T ceil_quotient(T x, T y) {
  const T q = quotient(x, y), r = remainder(x, y);
  return y != 0 && r != 0 && (r < 0) == (y < 0) ? T(q + 1) : q;
}

// The upper half of the product, the operands read as unsigned.
template <class T> T high_product(T x, T y) {
  using U = ::std::make_unsigned_t<T>;
  if constexpr (sizeof(T) == 8)
    return T(static_cast<unsigned __int128>(U(x)) * U(y) >> 64);
  else
    return T(static_cast<unsigned long long>(U(x)) * U(y) >> width<T>);
}

template <binary_op Op, class T> T integer_binary(T x, T y) {
  using W = wrapping<T>;
  using U = ::std::make_unsigned_t<T>;
  if constexpr (Op == binary_op::add)
    return T(W(x) + W(y));
  else if constexpr (Op == binary_op::sub)
    return T(W(x) - W(y));
  else if constexpr (Op == binary_op::mul)
    return T(W(x) * W(y));
  else if constexpr (Op == binary_op::div)
    return quotient(x, y);
  else if constexpr (Op == binary_op::rem)
    return remainder(x, y);
  else if constexpr (Op == binary_op::floordiv)
    return floor_quotient(x, y);
  else if constexpr (Op == binary_op::ceildiv)
    return ceil_quotient(x, y);
  else if constexpr (Op == binary_op::mulhi)
    return high_product(x, y);
  else if constexpr (Op == binary_op::min || Op == binary_op::min_nan)
    return x < y ? x : y;
  else if constexpr (Op == binary_op::max || Op == binary_op::max_nan)
    return x > y ? x : y;
  else if constexpr (Op == binary_op::bit_and)
    return T(x & y);
  else if constexpr (Op == binary_op::bit_or)
    return T(x | y);
  else if constexpr (Op == binary_op::bit_xor)
    return T(x ^ y);
  else if constexpr (Op == binary_op::shl)
    return U(y) < width<T> ? T(W(x) << (U(y) & (width<T> - 1))) : T(0);
  else if constexpr (Op == binary_op::shr)
    return T(x >> (U(y) < width<T> ? U(y) : width<T> - 1)) &
           (::std::is_signed_v<T> || U(y) < width<T> ? T(-1) : T(0));
  else
    static_assert(Op == binary_op::add, "not an operation on integers");
}

template <unary_op Op, class T> T integer_unary(T x) {
  using W = wrapping<T>;
  if constexpr (Op == unary_op::neg)
    return T(-W(x));
  else if constexpr (Op == unary_op::bit_not)
    return T(~W(x));
  else if constexpr (Op == unary_op::abs)
    return x < 0 ? T(-W(x)) : x;
  else
    static_assert(Op == unary_op::neg, "not an operation on integers");
}

// ---- floating point ---------------------------------------------------------------------------
// The smaller and the larger number; -0 is less than +0. Of a NaN and a number, the number.
template <class T> T least(T x, T y) {
  const T equal = ::std::bit_cast<T>(bits_of(x) | bits_of(y));
  return x == y ? equal : x < y || y != y ? x : y;
}
template <class T> T greatest(T x, T y) {
  const T equal = ::std::bit_cast<T>(bits_of(x) & bits_of(y));
  return x == y ? equal : x > y || y != y ? x : y;
}
template <class T> T nan_of(T x, T y) { return x + y; }

// Negating a NaN of float gives the canonical NaN of a GPU.
inline float negated(float x) { return x != x ? float_of(0x7fffffffu) : -x; }
inline double negated(double x) { return -x; }

// Functions of the C library are computed in the next wider format, and are therefore correctly
// rounded except for very few numbers.
#define TESSERA_C_MATH_1(NAME, C)                                                                  \
  inline float library_##NAME(float x) { return float(::C(double(x))); }                           \
  inline double library_##NAME(double x) {                                                         \
    return in_extended_precision([](auto wide) { return ::C##l(wide); }, x);                       \
  }
#define TESSERA_C_MATH_2(NAME, C)                                                                  \
  inline float library_##NAME(float x, float y) { return float(::C(double(x), double(y))); }       \
  inline double library_##NAME(double x, double y) {                                               \
    return in_extended_precision([](auto a, auto b) { return ::C##l(a, b); }, x, y);               \
  }
#include "../../ops.def"

template <binary_op Op, class T> T float_binary(T x, T y) {
  if constexpr (Op == binary_op::add)
    return x + y;
  else if constexpr (Op == binary_op::sub)
    return x - y;
  else if constexpr (Op == binary_op::mul)
    return x * y;
  else if constexpr (Op == binary_op::div)
    return x / y;
  else if constexpr (Op == binary_op::rem)
    return ::std::fmod(x, y);
  else if constexpr (Op == binary_op::min)
    return least(x, y);
  else if constexpr (Op == binary_op::max)
    return greatest(x, y);
  else if constexpr (Op == binary_op::min_nan)
    return x != x || y != y ? nan_of(x, y) : least(x, y);
  else if constexpr (Op == binary_op::max_nan)
    return x != x || y != y ? nan_of(x, y) : greatest(x, y);
#define TESSERA_MATH_2(NAME, CPU, C) else if constexpr (Op == binary_op::NAME) return CPU(x, y);
#define TESSERA_C_MATH_2(NAME, C)                                                                  \
  else if constexpr (Op == binary_op::NAME) return library_##NAME(x, y);
#include "../../ops.def"
  else
    static_assert(Op == binary_op::add, "not an operation on floating-point numbers");
}

template <unary_op Op, class T> T float_unary(T x) {
  if constexpr (Op == unary_op::neg)
    return negated(x);
#define TESSERA_FUNCTION_1(NAME, CPU) else if constexpr (Op == unary_op::NAME) return CPU(x);
#define TESSERA_C_MATH_1(NAME, C) else if constexpr (Op == unary_op::NAME) return library_##NAME(x);
#include "../../ops.def"
  else
    static_assert(Op == unary_op::neg, "not an operation on floating-point numbers");
}

template <binary_op Op, class T> T apply(T x, T y) {
  if constexpr (is_integer<T>)
    return integer_binary<Op>(x, y);
  else
    return float_binary<Op>(x, y);
}
template <unary_op Op, class T> T apply(T x) {
  if constexpr (is_integer<T>)
    return integer_unary<Op>(x);
  else
    return float_unary<Op>(x);
}

template <compare_op Op, class T> bool holds(T x, T y) {
  if constexpr (Op == compare_op::eq)
    return x == y;
  else if constexpr (Op == compare_op::ne)
    return x != y;
  else if constexpr (Op == compare_op::lt)
    return x < y;
  else if constexpr (Op == compare_op::le)
    return x <= y;
  else if constexpr (Op == compare_op::gt)
    return x > y;
  else
    return x >= y;
}

} // namespace cuda::tiles::__prim::cpu
