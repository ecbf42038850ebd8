// Operations on shapes: reshape, broadcast, transpose, permute, cat, extract, insert.
// [tile:tile_operations]
//
// They move elements and never change them, so they take every element type, pointers too.
#pragma once

#include "convert.h"

namespace cuda::tiles {

namespace __detail {
template <class T, size_t... D> using with_shape = tile<element_of<T>, shape<D...>>;

// T with the extent of dimension Dim replaced by Extent.
template <class T, size_t Dim, size_t Extent, class K = indices_t<shape_of<T>::rank()>>
struct resized;
template <class T, size_t Dim, size_t Extent, size_t... K>
struct resized<T, Dim, Extent, indices<K...>> {
  using type = with_shape<T, (K == Dim ? Extent : shape_of<T>::static_extent(K))...>;
};
template <class T, size_t Dim, size_t Extent> using with_extent =
    typename resized<T, Dim, Extent>::type;

template <class T, class Map> struct permuted;
template <class T, size_t... D> struct permuted<T, dimension_map<D...>> {
  using type = with_shape<T, shape_of<T>::static_extent(D)...>;
  using map = __prim::dims<static_cast<long long>(D)...>;
};

template <class Map> inline constexpr size_t map_rank = size_t(-1);
template <size_t... D> inline constexpr size_t map_rank<dimension_map<D...>> = sizeof...(D);

template <class T, auto Dim>
concept dimension_of = is_tile<T> && Dim >= 0 && size_t(Dim) < shape_of<T>::rank();

// S divides T into whole pieces.
template <class S, class T> consteval bool divides_shape() {
  if (S::rank() != shape_of<T>::rank())
    return false;
  for (size_t k = 0; k < S::rank(); ++k)
    if (S::static_extent(k) > shape_of<T>::static_extent(k))
      return false;
  return true;
}
template <class S, class T>
concept divides = tile_shape<S> && is_tile<T> && divides_shape<S, T>();
template <class I>
concept sub_tile_index = arithmetic_scalar<I> || is_constant<I>;
template <class T, class... I>
concept sub_tile_indices = sizeof...(I) == shape_of<T>::rank() && (sub_tile_index<I> && ...);
} // namespace __detail

// The same elements in row-major order in another shape of the same size.
template <tile_shape S, tile_like T>
  requires(S::static_size() == tile_shape_t<T>::static_size())
TESSERA_API tile<tile_element_t<T>, S> reshape(__prim::arg<T> x, S = {}) noexcept {
  using R = tile<tile_element_t<T>, S>;
  return __detail::access::make<R>(TESSERA_IN_PLACE(
      __prim::reshape<R, __detail::as_tile<T>>(__detail::operand<__detail::as_tile<T>>(x))));
}

// x repeated along the dimensions in which it has extent 1 (or none) until it has the shape S.
template <tile_shape S, tile_like T>
  requires broadcastable_to<T, S>
TESSERA_API tile<tile_element_t<T>, S> broadcast(__prim::arg<T> x, S = {}) noexcept {
  using R = tile<tile_element_t<T>, S>;
  return __detail::access::make<R>(TESSERA_IN_PLACE(__detail::operand<R>(x)));
}

// Result dimension k is dimension map[k] of x.
template <class Map, tile_like T>
  requires(__detail::is_tile<T> && __detail::map_rank<Map> == tile_shape_t<T>::rank())
TESSERA_API typename __detail::permuted<T, Map>::type permute(__prim::arg<T> x, Map = {}) noexcept {
  using P = __detail::permuted<T, Map>;
  using R = typename P::type;
  return __detail::access::make<R>(
      TESSERA_IN_PLACE(__prim::permute<R, T, typename P::map>(__detail::access::lanes(x))));
}

namespace __detail {
template <class T, size_t... K>
TESSERA_API auto swap_first_two(const T &x, indices<K...>) noexcept {
  return permute(x, dimension_map<1, 0, (K + 2)...>{});
}
} // namespace __detail

// Dimensions 0 and 1 exchanged; x itself where it has fewer.
template <tile_like T> TESSERA_API auto transpose(__prim::arg<T> x) noexcept {
  if constexpr (tile_shape_t<T>::rank() < 2)
    return x;
  else
    return __detail::swap_first_two(x, __detail::indices_t<tile_shape_t<T>::rank() - 2>());
}

// x and then y along dimension Dim; both have the same type.
template <auto Dim, tile_like T>
  requires __detail::dimension_of<T, Dim> &&
           tile_shape<__detail::shape_of<
               __detail::with_extent<T, Dim, 2 * tile_shape_t<T>::static_extent(Dim)>>>
TESSERA_API __detail::with_extent<T, Dim, 2 * tile_shape_t<T>::static_extent(Dim)>
cat(__prim::arg<T> x, __prim::arg<T> y, integral_constant<Dim> = {}) noexcept {
  using R = __detail::with_extent<T, Dim, 2 * tile_shape_t<T>::static_extent(Dim)>;
  return __detail::access::make<R>(TESSERA_IN_PLACE(
      __prim::cat<R, T, int(Dim)>(__detail::access::lanes(x), __detail::access::lanes(y))));
}

// The piece of shape S at the given index, which counts pieces.
template <tile_shape S, tile_like T, class... I>
  requires __detail::divides<S, T> && __detail::sub_tile_indices<T, I...>
TESSERA_API tile<tile_element_t<T>, S> extract(__prim::arg<T> x, S, I... index) noexcept {
  using R = tile<tile_element_t<T>, S>;
  return __detail::access::make<R>(TESSERA_IN_PLACE(
      __prim::extract<R, T>(__detail::access::lanes(x), static_cast<unsigned>(index)...)));
}

// x with the piece at the given index, which counts pieces, replaced by part.
template <tile_like T, tile_like P, class... I>
  requires(__detail::is_tile<P> && __detail::divides<__detail::shape_of<P>, T> &&
           __detail::fits<__detail::element_of<P>, __detail::element_of<T>>() &&
           __detail::sub_tile_indices<T, I...>)
TESSERA_API T insert(__prim::arg<T> x, __prim::arg<P> part, I... index) noexcept {
  using B = tile<tile_element_t<T>, tile_shape_t<P>>;
  return __detail::access::make<T>(TESSERA_IN_PLACE(__prim::insert<T, B>(
      __detail::access::lanes(x), __detail::operand<B>(part), static_cast<unsigned>(index)...)));
}

} // namespace cuda::tiles
