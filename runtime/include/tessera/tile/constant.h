// Constant wrappers: integers that are part of a type, and the literal `16_ic` that makes them.
// [tile:constant_wrappers_and_flags]
#pragma once

#include "scalar.h"

namespace cuda::tiles {

// The cv-unqualified built-in integers of 8 to 64 bits, bool and the character types.
template <class T>
concept integral = __detail::is_integral<__detail::remove_cv_t<T>>;

namespace __detail {
template <auto V>
concept integral_value = integral<decltype(V)>;
}

// An empty object with the value V; converts to it.
template <auto V>
  requires __detail::integral_value<V>
struct integral_constant {
  using type = integral_constant;
  using value_type = decltype(V);
  static constexpr value_type value = V;
  TESSERA_HOST_API constexpr operator value_type() const noexcept { return V; }
  TESSERA_HOST_API constexpr value_type operator()() const noexcept { return V; }
};

template <auto X, auto Y> TESSERA_HOST_API constexpr integral_constant<X + Y>
operator+(integral_constant<X>, integral_constant<Y>) noexcept {
  return {};
}
template <auto X, auto Y> TESSERA_HOST_API constexpr integral_constant<X - Y>
operator-(integral_constant<X>, integral_constant<Y>) noexcept {
  return {};
}
template <auto X, auto Y> TESSERA_HOST_API constexpr integral_constant<X * Y>
operator*(integral_constant<X>, integral_constant<Y>) noexcept {
  return {};
}
template <auto X, auto Y> TESSERA_HOST_API constexpr integral_constant<X / Y>
operator/(integral_constant<X>, integral_constant<Y>) noexcept {
  return {};
}
template <auto X, auto Y> TESSERA_HOST_API constexpr integral_constant<X % Y>
operator%(integral_constant<X>, integral_constant<Y>) noexcept {
  return {};
}
template <auto X, auto Y> TESSERA_HOST_API constexpr integral_constant<(X << Y)>
operator<<(integral_constant<X>, integral_constant<Y>) noexcept {
  return {};
}
template <auto X, auto Y> TESSERA_HOST_API constexpr integral_constant<(X >> Y)>
operator>>(integral_constant<X>, integral_constant<Y>) noexcept {
  return {};
}
template <auto X>
TESSERA_HOST_API constexpr integral_constant<-X> operator-(integral_constant<X>) noexcept {
  return {};
}

namespace __detail {
template <class T> inline constexpr bool is_constant = false;
template <auto V> inline constexpr bool is_constant<integral_constant<V>> = true;

template <char... C> consteval bool are_decimal_digits() {
  return (((C >= '0' && C <= '9') || C == '\'') && ...);
}

template <char... C> consteval unsigned long long decimal_value() {
  unsigned long long value = 0;
  ((value = C == '\'' ? value : value * 10 + (C - '0')), ...);
  return value;
}

template <unsigned long long N> consteval auto int_or_long() {
  if constexpr (N <= 0x7fffffffull)
    return static_cast<int>(N);
  else
    return static_cast<long>(N);
}
} // namespace __detail

// 16_ic is integral_constant<16>{}: int, or long when int is too small; decimal digits only.
namespace literals {
template <char... C> TESSERA_HOST_API constexpr auto operator""_ic() noexcept {
  static_assert(__detail::are_decimal_digits<C...>(), "an _ic literal has decimal digits only");
  return integral_constant<__detail::int_or_long<__detail::decimal_value<C...>()>()>{};
}
} // namespace literals

namespace __detail {
template <size_t... D> consteval bool is_permutation() {
  constexpr size_t map[] = {D..., 0};
  for (size_t k = 0; k < sizeof...(D); ++k) {
    size_t found = 0;
    for (size_t i = 0; i < sizeof...(D); ++i)
      found += map[i] == k;
    if (found != 1)
      return false;
  }
  return true;
}
} // namespace __detail

// The source dimension of each result dimension of permute. D... is a permutation of 0, 1, ...
template <__detail::size_t... D>
  requires(__detail::is_permutation<D...>())
struct dimension_map {
  constexpr dimension_map() = default;
  template <auto... V>
    requires(sizeof...(V) == sizeof...(D) && sizeof...(V) > 0)
  TESSERA_HOST_API constexpr dimension_map(integral_constant<V>...) noexcept {}
};
template <auto... V> dimension_map(integral_constant<V>...)
    -> dimension_map<__detail::size_t(V)...>;

} // namespace cuda::tiles
