// Values of n types that belong together: what a reduction or scan of n tiles combines, and the n
// fragments that it gives. `auto [a, b] = ...` takes one apart.
#pragma once

#include "../arch/arch.cuh"

#include <utility>

namespace tessera {

template <class... T> struct pack;
template <class T> struct pack<T> {
  T first;

  pack() = default;
  TESSERA_DEVICE pack(const T &first) : first(first) {}
};
template <class T, class... Rest> struct pack<T, Rest...> {
  T first;
  pack<Rest...> rest;

  pack() = default;
  TESSERA_DEVICE pack(const T &first, const Rest &...rest) : first(first), rest(rest...) {}
};
template <class... T> pack(T...) -> pack<T...>;

template <std::size_t I, class... T> TESSERA_DEVICE auto &get(pack<T...> &x) {
  if constexpr (I == 0)
    return x.first;
  else
    return get<I - 1>(x.rest);
}
template <std::size_t I, class... T> TESSERA_DEVICE const auto &get(const pack<T...> &x) {
  if constexpr (I == 0)
    return x.first;
  else
    return get<I - 1>(x.rest);
}
template <std::size_t I, class... T> TESSERA_DEVICE auto &&get(pack<T...> &&x) {
  return static_cast<std::tuple_element_t<I, pack<T...>> &&>(get<I>(x));
}

} // namespace tessera

template <class... T> struct std::tuple_size<tessera::pack<T...>>
    : std::integral_constant<std::size_t, sizeof...(T)> {};
template <class T, class... Rest> struct std::tuple_element<0, tessera::pack<T, Rest...>> {
  using type = T;
};
template <std::size_t I, class T, class... Rest>
struct std::tuple_element<I, tessera::pack<T, Rest...>>
    : std::tuple_element<I - 1, tessera::pack<Rest...>> {};
