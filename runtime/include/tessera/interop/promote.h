// The result type of two operands of different types, by the two tables that Python programs use.
// Compile-time traits; the operators of tiles follow C++ Tile's own rules, which are stricter.
//
//   tessera::promote_t<A, B>                   the Python array API standard, v2023.12
//   tessera::promote_t<A, B, tile_promotion>   cuTile Python's arithmetic promotion
//   tessera::is_promotable<A, B, Rules>        whether there is one
//
// An operand may be a loosely typed constant, loose<value>: in the array API a Python number next
// to an array, which takes the array's type if its kind allows; in cuTile as its rules define.
#pragma once

#include "types.h"

namespace tessera {

struct array_promotion {};
struct tile_promotion {};
template <auto Value> struct loose {};

namespace interop {

enum class category { none, boolean, integral, floating, complex };
template <class T> inline constexpr category category_of =
    std::is_same_v<T, bool>       ? category::boolean
    : std::is_integral_v<T>       ? category::integral
    : std::is_floating_point_v<T> ? category::floating
                                  : category::none;
template <> inline constexpr category category_of<__half> = category::floating;
template <> inline constexpr category category_of<__nv_bfloat16> = category::floating;
template <> inline constexpr category category_of<complex64> = category::complex;
template <> inline constexpr category category_of<complex128> = category::complex;
template <auto V> inline constexpr category category_of<loose<V>> = category_of<decltype(V)>;

template <class T> inline constexpr bool is_loose = false;
template <auto V> inline constexpr bool is_loose<loose<V>> = true;

template <class T> struct of {
  using type = T;
};
struct no_type {};

template <std::size_t Size> using signed_of_size = std::conditional_t<
    Size == 1, std::int8_t,
    std::conditional_t<Size == 2, std::int16_t,
                       std::conditional_t<Size == 4, std::int32_t, std::int64_t>>>;

template <class A, class B> using larger = std::conditional_t<(sizeof(A) < sizeof(B)), B, A>;

// Integers of one sign: the wider. Of two signs: in the array API the signed type that holds both,
// and none for 64 unsigned bits; none in cuTile.
template <class A, class B, class Rules> constexpr auto promote_integers() {
  if constexpr (std::is_signed_v<A> == std::is_signed_v<B>) {
    return of<larger<A, B>>();
  } else if constexpr (std::is_same_v<Rules, tile_promotion>) {
    return no_type();
  } else {
    using with_sign = std::conditional_t<std::is_signed_v<A>, A, B>;
    using without = std::conditional_t<std::is_signed_v<A>, B, A>;
    if constexpr (sizeof(without) < sizeof(with_sign))
      return of<with_sign>();
    else if constexpr (sizeof(without) < 8)
      return of<signed_of_size<2 * sizeof(without)>>();
    else
      return no_type();
  }
}

// Two different 16-bit formats have only wider common types.
template <class A, class B> constexpr auto promote_floats() {
  if constexpr (sizeof(A) == 2 && sizeof(B) == 2)
    return no_type();
  else
    return of<larger<A, B>>();
}

template <class A, class B> constexpr auto promote_complex() {
  constexpr bool is_double = sizeof(A) == (category_of<A> == category::complex ? 16 : 8) ||
                             sizeof(B) == (category_of<B> == category::complex ? 16 : 8);
  return of<std::conditional_t<is_double, complex128, complex64>>();
}

// The type of a constant on its own, in cuTile.
template <class T> struct concrete : of<T> {};
template <auto V>
  requires(category_of<decltype(V)> == category::integral)
struct concrete<loose<V>>
    : of<std::conditional_t<
          (std::is_unsigned_v<decltype(V)> ? V > 0x7fffffffffffffff : false), std::uint64_t,
          std::conditional_t<static_cast<std::int64_t>(V) == static_cast<std::int32_t>(V),
                             std::int32_t, std::int64_t>>> {};
template <auto V>
  requires(category_of<decltype(V)> == category::floating)
struct concrete<loose<V>> : of<float> {};
template <auto V>
  requires(category_of<decltype(V)> == category::boolean)
struct concrete<loose<V>> : of<bool> {};

// Types of one category.
template <class A, class B, class Rules> constexpr auto promote_alike() {
  if constexpr (std::is_same_v<A, B>)
    return of<A>();
  else if constexpr (category_of<A> == category::none)
    return no_type();
  else if constexpr (category_of<A> == category::integral)
    return promote_integers<A, B, Rules>();
  else if constexpr (category_of<A> == category::floating)
    return promote_floats<A, B>();
  else
    return promote_complex<A, B>();
}

// The array API orders floating point below complex, and mixes no other kinds. A constant becomes
// the array's type; it must be of the array's kind or a lower one.
template <class A, class B> constexpr auto promote(array_promotion) {
  constexpr auto a = category_of<A>, b = category_of<B>;
  if constexpr (is_loose<A> && is_loose<B>)
    return no_type();
  else if constexpr (is_loose<B>)
    return std::conditional_t<b != category::none && (b == category::boolean ? a == b : b <= a),
                              of<A>, no_type>();
  else if constexpr (is_loose<A>)
    return promote<B, A>(array_promotion());
  else if constexpr (a == b)
    return promote_alike<A, B, array_promotion>();
  else if constexpr (a >= category::floating && b >= category::floating)
    return promote_complex<A, B>();
  else
    return no_type();
}

// cuTile: the higher category's type; within a category a constant yields to the other operand;
// then the table. Formats below 16 bits, tf32 and complex numbers have a common type only with
// themselves.
template <class A, class B> constexpr auto promote(tile_promotion) {
  constexpr auto a = category_of<A>, b = category_of<B>;
  constexpr bool is_arithmetic = a != category::none && b != category::none &&
                                 a != category::complex && b != category::complex;
  if constexpr (is_loose<A> && is_loose<B>)
    return no_type(); // a constant again
  else if constexpr (!is_arithmetic)
    return std::conditional_t<std::is_same_v<A, B>, of<A>, no_type>();
  else if constexpr (a != b)
    return concrete<std::conditional_t<(a < b), B, A>>();
  else if constexpr (is_loose<A> || is_loose<B>)
    return of<std::conditional_t<is_loose<A>, B, A>>();
  else
    return promote_alike<A, B, tile_promotion>();
}

template <class A, class B, class Rules> using promoted =
    decltype(promote<std::remove_cv_t<A>, std::remove_cv_t<B>>(Rules()));

} // namespace interop

// Whether the rules give operands of types A and B a common type.
template <class A, class B, class Rules = array_promotion> inline constexpr bool is_promotable =
    !std::is_same_v<interop::promoted<A, B, Rules>, interop::no_type>;

// Ill-formed if the rules give no type, so that it fails a constraint.
template <class A, class B, class Rules = array_promotion> using promote_t =
    typename interop::promoted<A, B, Rules>::type;

} // namespace tessera
