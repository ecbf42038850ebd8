// Reductions and scans by a function of the program, of a tile or of several at once: beyond
// NVIDIA's language, with --extensions.
//
//   auto total = ct::reduce(x, 1_ic, 0.0f, [=](float a, float b) { return a + b + k * a * b; });
//   auto [most, where] = ct::reduce(ct::pack{x, i}, 1_ic, [](float a, int i, float b, int j) {
//     return b > a ? ct::pack{b, j} : ct::pack{a, i};
//   });
//
// The function takes what was combined so far of each tile, then an element of each, and returns as
// many. It is associative: what is combined with what is not specified, but their order is that of
// the elements. It computes scalars, also captured ones, and nothing else.
#pragma once

#include "pack.h"
#include "reduce.h"

#ifdef TESSERA_EXTENSIONS
#ifdef TESSERA_TARGET_CPU
#include "cpu/fold.h"
#endif

namespace cuda::tiles {

namespace __detail {

// ---- what is folded ---------------------------------------------------------------------------
template <class T, auto Dim, bool Scan> using folded_tile = conditional_t<Scan, T, reduced<T, Dim>>;

template <class T, auto Dim> inline constexpr bool is_foldable =
    dimension_of<T, Dim> && numeric_scalar<element_of<T>>;
template <class T, class... Rest, auto Dim>
inline constexpr bool is_foldable<pack<T, Rest...>, Dim> =
    is_foldable<T, Dim> &&
    (... && (is_foldable<Rest, Dim> && is_same<shape_of<T>, shape_of<Rest>>));
template <class T, auto Dim>
concept foldable = is_foldable<T, Dim>;

template <class T, auto Dim, bool Scan> struct folded {
  using type = folded_tile<T, Dim, Scan>;
};
template <class... T, auto Dim, bool Scan> struct folded<pack<T...>, Dim, Scan> {
  using type = pack<folded_tile<T, Dim, Scan>...>;
};
template <class T, auto Dim, bool Scan> using folded_t = typename folded<T, Dim, Scan>::type;

// ---- what folds -------------------------------------------------------------------------------
template <class V, class... E> inline constexpr bool are_numbers = false;
template <class... V, class... E>
  requires(sizeof...(V) == sizeof...(E))
inline constexpr bool are_numbers<pack<V...>, E...> =
    (... && (numeric_scalar<V> && numeric_scalar<E>));

template <class F, class... E>
concept combines_values = requires(const F &f, const E &...x) {
  requires are_numbers<packed_t<decltype(f(x..., x...))>, E...>;
};
template <class F, class T> inline constexpr bool is_combiner_of =
    combines_values<F, element_of<T>>;
template <class F, class... T> inline constexpr bool is_combiner_of<F, pack<T...>> =
    combines_values<F, element_of<T>...>;
template <class F, class T>
concept combiner_of = is_combiner_of<F, T>;
// A number for each tile.
template <class E, class T> inline constexpr bool is_identity_of = numeric_scalar<E>;
template <class E, class... T> inline constexpr bool is_identity_of<E, pack<T...>> =
    are_numbers<E, element_of<T>...>;

template <int I, bool Accumulator, class T>
TESSERA_API element_of<T> fold_argument(const T &x) noexcept {
  using E = element_of<T>;
  return from_lane<E>(
      __prim::scalar<one<E>>(__prim::fold_argument<I, Accumulator, one<E>, T>(access::lanes(x))));
}

template <class R, int I, auto Dim, bool Scan, bool Backward, class C, size_t... K, class... T>
TESSERA_API R fold_result(const C &combined, indices<K...>, const T &...x) noexcept {
  return access::make<R>(TESSERA_IN_PLACE(__prim::fold_result<I, int(Dim), Scan, Backward, R, T...>(
      access::lanes(x)..., operand<one<element_of<T>>>(item<int(K)>(combined))...)));
}

template <auto Dim, bool Scan, bool Backward, class F, size_t... I, class... T>
TESSERA_API pack<folded_tile<T, Dim, Scan>...> fold(const F &f, indices<I...>,
                                                    const T &...x) noexcept {
#ifdef TESSERA_TARGET_CPU
  pack<__prim::lanes<folded_tile<T, Dim, Scan>>...> y;
  __prim::fold<typename first_of<T...>::type, int(Dim), Scan, Backward>(f, y, indices<I...>(),
                                                                        x...);
  return {access::make<folded_tile<T, Dim, Scan>>(TESSERA_IN_PLACE(item<int(I)>(y)))...};
#else
  const auto combined =
      as_pack(f(fold_argument<int(I), true>(x)..., fold_argument<int(I), false>(x)...));
  return {fold_result<folded_tile<T, Dim, Scan>, int(I), Dim, Scan, Backward>(
      combined, indices<I...>(), x...)...};
#endif
}

template <auto Dim, bool Scan, bool Backward, class F, class... T, size_t... I>
TESSERA_API pack<folded_tile<T, Dim, Scan>...> fold_pack(const F &f, const pack<T...> &x,
                                                         indices<I...> all) noexcept {
  return fold<Dim, Scan, Backward>(f, all, item<int(I)>(x)...);
}

template <auto Dim, bool Scan, bool Backward, class F, class... T>
TESSERA_API auto fold_all(const F &f, const pack<T...> &x) noexcept {
  return fold_pack<Dim, Scan, Backward>(f, x, indices_t<sizeof...(T)>());
}
template <auto Dim, bool Scan, bool Backward, class F, class E, class S>
TESSERA_API auto fold_all(const F &f, const tile<E, S> &x) noexcept {
  return fold<Dim, Scan, Backward>(f, indices_t<1>(), x).first;
}

} // namespace __detail

// reduce(x, d_ic, f), reduce(x, d_ic, identity, f): x is a tile, or a pack of tiles of one shape;
// an identity leaves the other operand of f as it is, and is a number, or a pack of them.
template <auto Dim, __detail::foldable<Dim> T, __detail::combiner_of<T> F>
TESSERA_API __detail::folded_t<T, Dim, false> reduce(const T &x, integral_constant<Dim>,
                                                     const F &f) noexcept {
  return __detail::fold_all<Dim, false, false>(f, x);
}
template <auto Dim, __detail::foldable<Dim> T, class E, __detail::combiner_of<T> F>
  requires __detail::is_identity_of<E, T>
TESSERA_API __detail::folded_t<T, Dim, false> reduce(const T &x, integral_constant<Dim>, const E &,
                                                     const F &f) noexcept {
  return __detail::fold_all<Dim, false, false>(f, x);
}

// The inclusive scan: scan(x, d_ic[, identity], f[, direction]).
template <auto Dim, __detail::foldable<Dim> T, __detail::combiner_of<T> F,
          scan_direction Dir = scan_direction::forward>
TESSERA_API T scan(const T &x, integral_constant<Dim>, const F &f,
                   scan_direction_constant<Dir> = {}) noexcept {
  return __detail::fold_all<Dim, true, Dir == scan_direction::backward>(f, x);
}
template <auto Dim, __detail::foldable<Dim> T, class E, __detail::combiner_of<T> F,
          scan_direction Dir = scan_direction::forward>
  requires __detail::is_identity_of<E, T>
TESSERA_API T scan(const T &x, integral_constant<Dim>, const E &, const F &f,
                   scan_direction_constant<Dir> = {}) noexcept {
  return __detail::fold_all<Dim, true, Dir == scan_direction::backward>(f, x);
}

} // namespace cuda::tiles

#endif
