// Scalars: the element types of tiles, their categories, narrowing conversions, and the common type
// of two scalars. [tile:general_principles, scalars and scalar conversions]
//
// There is no integral promotion, and whether a conversion narrows depends on types only, never on
// values.
#pragma once

#include "lanes.h"
#include "traits.h"

namespace cuda::tiles::__detail {

template <class T> inline constexpr bool is_integral =
    is_one_of<T, bool, char, signed char, unsigned char, char8_t, char16_t, char32_t, wchar_t,
              short, unsigned short, int, unsigned, long, unsigned long, long long,
              unsigned long long>;

// Floating-point formats by conversion rank: only a higher rank holds every value. 0: not a
// floating-point type.
template <class T> inline constexpr int float_rank = 0;
#define TESSERA_FLOAT(KIND, NAME, RANK, MLIR)                                                      \
  template <> inline constexpr int float_rank<NAME> = RANK;
#define TESSERA_FLOAT_CLASS(KIND, NAME, CLASS, LANE, BITS, RANK, ...)                              \
  template <> inline constexpr int float_rank<CLASS> = RANK;
#include "../elements.def"

template <class T> inline constexpr bool is_float = float_rank<T> != 0;
template <class T> inline constexpr bool is_basic_float =
    is_one_of<T, __half, __nv_bfloat16, float, double>;
template <class T> inline constexpr bool is_restricted_float = is_float<T> && !is_basic_float<T>;
template <class T> inline constexpr bool is_arithmetic = is_integral<T> || is_basic_float<T>;
template <class T> inline constexpr bool is_numeric = is_integral<T> || is_float<T>;

template <class P> inline constexpr bool is_pointee = is_numeric<P> || is_same<P, void>;
template <class T> inline constexpr bool is_pointer = false;
template <class P> inline constexpr bool is_pointer<P *> = is_pointee<remove_cv_t<P>>;
template <class P> inline constexpr bool is_pointer<P *__restrict> = is_pointer<P *>;
template <class T> inline constexpr bool is_scalar = is_numeric<T> || is_pointer<T>;

// C++ itself computes with these; the others exist in lanes only.
template <class T> inline constexpr bool is_builtin = is_integral<T> || is_one_of<T, float, double>;

template <class T> inline constexpr bool is_signed = false;
template <class T>
  requires(is_integral<T> && !is_same<T, bool>)
inline constexpr bool is_signed<T> = T(-1) < T(1);

template <class E> using lane_of = typename __prim::lane<E>::type;
template <class T> inline constexpr int bit_width = 8 * int(sizeof(lane_of<T>));
template <> inline constexpr int bit_width<bool> = 1;
#define TESSERA_FLOAT_CLASS(KIND, NAME, CLASS, LANE, BITS, ...)                                    \
  template <> inline constexpr int bit_width<CLASS> = BITS;
#include "../elements.def"

// ---- unsigned and underlying types ------------------------------------------------------------
template <class T> struct underlying {
  using type = T;
};
template <> struct underlying<char> {
  using type = conditional_t<is_signed<char>, signed char, unsigned char>;
};
template <> struct underlying<char8_t> {
  using type = unsigned char;
};
template <> struct underlying<char16_t> {
  using type = unsigned short;
};
template <> struct underlying<char32_t> {
  using type = unsigned;
};
template <> struct underlying<wchar_t> {
  using type = int;
};
template <class T> using underlying_t = typename underlying<T>::type;

template <class T> struct make_unsigned {
  using type = T;
};
template <> struct make_unsigned<signed char> {
  using type = unsigned char;
};
template <> struct make_unsigned<short> {
  using type = unsigned short;
};
template <> struct make_unsigned<int> {
  using type = unsigned;
};
template <> struct make_unsigned<long> {
  using type = unsigned long;
};
template <> struct make_unsigned<long long> {
  using type = unsigned long long;
};
template <class T> using make_unsigned_t = typename make_unsigned<underlying_t<T>>::type;

// Conversion rank, then subrank: character types rank below their underlying integer, plain char
// below the other ones.
template <class T> inline constexpr int integer_rank = sizeof(T);
template <> inline constexpr int integer_rank<bool> = 0;
template <> inline constexpr int integer_rank<long long> = 9;
template <> inline constexpr int integer_rank<unsigned long long> = 9;
template <class T> inline constexpr int integer_subrank = is_same<T, char>              ? 0
                                                          : is_same<T, underlying_t<T>> ? 2
                                                                                        : 1;

// ---- conversions ------------------------------------------------------------------------------
template <class T, class U> consteval bool pointer_converts() {
  if constexpr (is_pointer<T> && is_pointer<U>)
    return requires(void (*f)(U), T x) { f(x); };
  else
    return false;
}

// Can a T be converted to a U at all?
template <class T, class U> inline constexpr bool converts =
    (is_numeric<T> && is_numeric<U>) || is_same<T, U> || (is_pointer<T> && is_same<U, bool>) ||
    pointer_converts<T, U>();

template <class T, class U> consteval bool integer_fits() {
  if constexpr (is_signed<T> == is_signed<U>)
    return bit_width<T> <= bit_width<U>;
  else
    return !is_signed<T> && bit_width<T> < bit_width<U>;
}

// Is every T exactly a U? Integers never fit floating point here; arithmetic exempts that case.
template <class T, class U> consteval bool fits() {
  if constexpr (is_same<T, U> || pointer_converts<T, U>())
    return true;
  else if constexpr (is_integral<T> && is_integral<U>)
    return integer_fits<T, U>();
  else if constexpr (is_float<T> && is_float<U>)
    return float_rank<T> < float_rank<U>;
  else
    return false;
}

template <class T, class U> inline constexpr bool fits_in_arithmetic =
    fits<T, U>() || (is_integral<T> && is_float<U>);

// ---- the arithmetic common type; void where there is none -------------------------------------
template <class T, class U> consteval auto common_integer() {
  constexpr int t = integer_rank<T>, u = integer_rank<U>;
  if constexpr (is_signed<T> && !is_signed<U>) {
    if constexpr (u >= t)
      return U();
    else
      return conditional_t<integer_fits<U, T>(), T, make_unsigned_t<T>>();
  } else if constexpr (!is_signed<T> && is_signed<U>) {
    return common_integer<U, T>();
  } else {
    return conditional_t<t != u ? (t > u) : (integer_subrank<T> >= integer_subrank<U>), T, U>();
  }
}

template <class T, class U> struct common {
  using type = void;
};
template <class T, class U>
  requires(is_integral<T> && is_integral<U>)
struct common<T, U> {
  using type = decltype(common_integer<T, U>());
};
template <class T, class U>
  requires(is_basic_float<T> && is_integral<U>)
struct common<T, U> {
  using type = T;
};
template <class T, class U>
  requires(is_integral<T> && is_basic_float<U>)
struct common<T, U> {
  using type = U;
};
template <class T, class U>
  requires(is_basic_float<T> && is_basic_float<U> &&
           (float_rank<T> != float_rank<U> || is_same<T, U>))
struct common<T, U> {
  using type = conditional_t<(float_rank<T> > float_rank<U>), T, U>;
};
template <class T, class U> using common_t = typename common<T, U>::type;

// The integral promotion of C++, which only unary plus performs.
template <class T> struct promoted {
  using type = T;
};
template <class T>
  requires(is_integral<T>)
struct promoted<T> {
  using type = decltype(+T());
};
template <class T> using promoted_t = typename promoted<T>::type;

// ---- scalars and lanes ------------------------------------------------------------------------
template <class E> TESSERA_API lane_of<E> to_lane(const E &x) noexcept {
  if constexpr (is_pointer<E>)
    return reinterpret_cast<lane_of<E>>(x);
  else if constexpr (is_builtin<E>)
    return static_cast<lane_of<E>>(x);
  else
    return __builtin_bit_cast(lane_of<E>, x);
}

template <class E> TESSERA_API E from_lane(lane_of<E> x) noexcept {
  if constexpr (is_pointer<E>)
    return reinterpret_cast<E>(x);
  else if constexpr (is_builtin<E>)
    return static_cast<E>(x);
  else
    return __builtin_bit_cast(E, x);
}

} // namespace cuda::tiles::__detail
