// Assumptions: facts that the programmer guarantees, attached to the returned value. A false
// assumption is undefined behaviour. [tile:assumptions]
//
// The constant is a template argument or a constant wrapper. Facts about scalars reach the
// compiler; on tiles the functions check their arguments and return the tile.
#pragma once

#include "convert.h"

namespace cuda::tiles {

namespace __detail {
template <auto N>
concept power_of_two = integral_value<N> && N > 0 && (N & (N - 1)) == 0;

template <auto V, class E> consteval bool represents() {
  if constexpr (!integral_value<V> || !is_integral<E>)
    return false;
  else
    return static_cast<decltype(V)>(static_cast<E>(V)) == V &&
           ((V < 0) == (static_cast<E>(V) < E(0)));
}
// A bound is a signed number of the element's width, also where the element is unsigned.
template <auto V, class T>
concept bound_of =
    integral_tile<T> && (bit_width<element_of<T>> > 1) && represents<V, element_of<T>>() &&
    (V <= 0 ||
     static_cast<unsigned long long>(V) <= (~0ull >> 1) >> (64 - bit_width<element_of<T>>));

template <class E> consteval long long lowest() {
  return is_signed<E>
             ? (bit_width<E> == 64 ? -0x7fffffffffffffffll - 1 : -(1ll << (bit_width<E> - 1)))
             : 0;
}
template <class E> consteval long long highest() {
  return bit_width<E> == 64 ? 0x7fffffffffffffffll : (1ll << (bit_width<E> - is_signed<E>)) - 1;
}

// x with a fact about a scalar attached; tiles unchanged. A bound above the range of long long has
// no effect.
template <long long Low, long long High, class T> TESSERA_API T bounded(const T &x) noexcept {
  if constexpr (is_tile<T> || is_same<T, bool> ||
                (!is_signed<T> && bit_width<T> == 64 && High == 0x7fffffffffffffffll))
    return x;
  else
    return __prim::assume_bounded<Low, High, T>(x);
}
} // namespace __detail

// The address is a multiple of N bytes, a power of two.
template <auto N, pointer_tile T>
  requires __detail::power_of_two<N>
[[nodiscard]] TESSERA_API T assume_aligned(__prim::arg<T> p, integral_constant<N> = {}) noexcept {
  if constexpr (__detail::is_tile<T>)
    return p;
  else
    return __prim::assume_aligned<static_cast<long long>(N)>(p);
}

// x is a multiple of N, a power of two.
template <auto N, integral_tile T>
  requires __detail::power_of_two<N>
[[nodiscard]] TESSERA_API T assume_divisible(__prim::arg<T> x, integral_constant<N> = {}) noexcept {
  if constexpr (__detail::is_tile<T> || __detail::is_same<T, bool>)
    return x;
  else
    return __prim::assume_divisible<static_cast<long long>(N), T>(x);
}

// Every Every-th element along Dim is a multiple of N, and the elements between are consecutive.
template <auto N, auto Every, auto Dim, pointer_tile T>
  requires __detail::power_of_two<N> && (Every > 0) &&
           (Dim >= 0 && __detail::size_t(Dim) < tile_shape_t<T>::rank())
[[nodiscard]] TESSERA_API T assume_aligned_strided(__prim::arg<T> p, integral_constant<N> = {},
                                                   integral_constant<Every> = {},
                                                   integral_constant<Dim> = {}) noexcept {
  return p;
}
template <auto N, auto Every, auto Dim, integral_tile T>
  requires __detail::power_of_two<N> && (Every > 0) &&
           (Dim >= 0 && __detail::size_t(Dim) < tile_shape_t<T>::rank())
[[nodiscard]] TESSERA_API T assume_divisible_strided(__prim::arg<T> x, integral_constant<N> = {},
                                                     integral_constant<Every> = {},
                                                     integral_constant<Dim> = {}) noexcept {
  return x;
}

// Low <= x, x <= High, or both.
template <auto Low, integral_tile T>
  requires __detail::bound_of<Low, T> && __detail::is_signed<__detail::element_of<T>>
[[nodiscard]] TESSERA_API T assume_bounded_below(__prim::arg<T> x,
                                                 integral_constant<Low> = {}) noexcept {
  return __detail::bounded<static_cast<long long>(Low),
                           __detail::highest<__detail::element_of<T>>()>(x);
}
template <auto High, integral_tile T>
  requires __detail::bound_of<High, T>
[[nodiscard]] TESSERA_API T assume_bounded_above(__prim::arg<T> x,
                                                 integral_constant<High> = {}) noexcept {
  return __detail::bounded<__detail::lowest<__detail::element_of<T>>(),
                           static_cast<long long>(High)>(x);
}
template <auto Low, auto High, integral_tile T>
  requires __detail::bound_of<Low, T> && __detail::bound_of<High, T> && (Low <= High)
[[nodiscard]] TESSERA_API T assume_bounded(__prim::arg<T> x, integral_constant<Low> = {},
                                           integral_constant<High> = {}) noexcept {
  return __detail::bounded<static_cast<long long>(Low), static_cast<long long>(High)>(x);
}

// All elements within each block of shape S are equal.
template <shape_like S, tile_like T>
  requires(pointer_tile<T> || integral_tile<T>) &&
          (__detail::size_t(S::rank()) == tile_shape_t<T>::rank())
[[nodiscard]] TESSERA_API T assume_blocked(__prim::arg<T> x, S = {}) noexcept {
  return x;
}

} // namespace cuda::tiles
