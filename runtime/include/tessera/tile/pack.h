// Values that belong together, as operands and results of reductions and scans: with --extensions.
#pragma once

#include "convert.h"

#ifdef TESSERA_EXTENSIONS

namespace cuda::tiles {

// Values that belong together, up to six. `auto [a, b] = ...` takes them apart.
template <class... T> struct pack;
template <class A> struct pack<A> {
  A first;
};
template <class A, class B> struct pack<A, B> {
  A first;
  B second;
};
template <class A, class B, class C> struct pack<A, B, C> {
  A first;
  B second;
  C third;
};
template <class A, class B, class C, class D> struct pack<A, B, C, D> {
  A first;
  B second;
  C third;
  D fourth;
};
template <class A, class B, class C, class D, class E> struct pack<A, B, C, D, E> {
  A first;
  B second;
  C third;
  D fourth;
  E fifth;
};
template <class A, class B, class C, class D, class E, class F> struct pack<A, B, C, D, E, F> {
  A first;
  B second;
  C third;
  D fourth;
  E fifth;
  F sixth;
};
template <class... T> pack(T...) -> pack<T...>;

namespace __detail {

template <int I, class P> TESSERA_API auto &item(P &values) noexcept {
  if constexpr (I == 0)
    return values.first;
  else if constexpr (I == 1)
    return values.second;
  else if constexpr (I == 2)
    return values.third;
  else if constexpr (I == 3)
    return values.fourth;
  else if constexpr (I == 4)
    return values.fifth;
  else
    return values.sixth;
}

template <class V> struct packed {
  using type = pack<V>;
};
template <class... T> struct packed<pack<T...>> {
  using type = pack<T...>;
};
template <class V> using packed_t = typename packed<remove_cv_t<V>>::type;

template <class V> TESSERA_API packed_t<V> as_pack(const V &values) noexcept {
  if constexpr (is_same<V, packed_t<V>>)
    return values;
  else
    return {values};
}

template <class T, class...> struct first_of {
  using type = T;
};

// A scalar as a tile.
template <class E> using one = tile<E, shape<>>;

} // namespace __detail

} // namespace cuda::tiles

#endif
