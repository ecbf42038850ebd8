// gather_scatter_view: tiles whose slices along one dimension are picked by an index tile.
// [tile:gather_scatter_view]
#pragma once

#include "span_pointers.h"

namespace cuda::tiles {

namespace __detail {
// At the gathered dimension, a rank-1 tile as long as the view's tile; elsewhere a scalar.
template <class I, class Shape, size_t K, size_t Dim> inline constexpr bool gather_index =
    K == Dim
        ? is_tile<I> && arithmetic_tile<I> && is_same<shape_of<I>, shape<Shape::static_extent(Dim)>>
        : arithmetic_scalar<I>;

template <class Shape, size_t Dim, class... I, size_t... K>
consteval bool are_gather_indices(indices<K...>) {
  return (gather_index<I, Shape, K, Dim> && ...);
}
template <class Shape, size_t Dim, class... I>
concept gather_indices = sizeof...(I) == Shape::rank() &&
                         are_gather_indices<Shape, Dim, I...>(indices_t<sizeof...(I)>());

template <size_t K, class Shape, class I>
TESSERA_API line<K, Shape> gather_line(const I &index) noexcept {
  if constexpr (is_tile<I>)
    return reshape<shape_of<line<K, Shape>>>(
        element_cast<unsigned long long>(element_cast<long long>(index)));
  else
    return run<K, Shape>(static_cast<unsigned long long>(static_cast<long long>(index)));
}
} // namespace __detail

// At position Dim, the index is a tile of element positions (duplicates allowed on load); elsewhere
// it is the element at which the tile starts.
template <tensor_span_like Span, tile_shape Shape, __detail::size_t Dim>
  requires(__detail::viewable<Span, Shape> && Dim < Shape::rank())
struct gather_scatter_view {
  using span_type = Span;
  using view_shape_type = Shape;
  using view_tile_type = tile<typename Span::value_type, Shape>;
  using index_type = typename Span::index_type;
  using rank_type = typename Span::rank_type;

  template <auto D>
    requires(__detail::size_t(D) == Dim)
  TESSERA_HOST_API constexpr gather_scatter_view(const Span &s, Shape,
                                                 integral_constant<D>) noexcept
      : span_(s) {}
  TESSERA_HOST_API constexpr const Span &span() const noexcept { return span_; }

  // Loads and stores as in partition_view.
  template <class... I>
    requires __detail::gather_indices<Shape, Dim, I...>
  TESSERA_API view_tile_type load(I... index) const noexcept {
    return __detail::from_cells<view_tile_type>(
        tiles::load(elements<false>(dimensions(), index...).pointers));
  }
  template <view_padding Pad = default_view_padding(), class... I>
    requires __detail::gather_indices<Shape, Dim, I...> &&
             __detail::padding_for<typename Span::value_type, Pad>
  TESSERA_API view_tile_type load_masked(I... index) const noexcept {
    const auto at = elements<true>(dimensions(), index...);
    using cell = __detail::cell_of<typename Span::value_type>;
    return __detail::from_cells<view_tile_type>(
        tiles::load_masked(at.pointers, at.inside, __detail::padding_value<Pad, cell>()));
  }
  template <view_padding Pad, class... I>
    requires __detail::gather_indices<Shape, Dim, I...> &&
             __detail::padding_for<typename Span::value_type, Pad>
  TESSERA_API view_tile_type load_masked(view_padding_constant<Pad>, I... index) const noexcept {
    return load_masked<Pad>(index...);
  }

  template <class T, class... I>
    requires __detail::gather_indices<Shape, Dim, I...> && __detail::view_value<T, Span, Shape>
  TESSERA_API void store(__prim::arg<T> value, I... index) const noexcept {
    tiles::store(elements<false>(dimensions(), index...).pointers,
                 __detail::to_cells<view_tile_type>(value));
  }
  template <class T, class... I>
    requires __detail::gather_indices<Shape, Dim, I...> && __detail::view_value<T, Span, Shape>
  TESSERA_API void store_masked(__prim::arg<T> value, I... index) const noexcept {
    const auto at = elements<true>(dimensions(), index...);
    tiles::store_masked(at.pointers, __detail::to_cells<view_tile_type>(value), at.inside);
  }

#define INDICES __detail::gather_indices<Shape, Dim, I...>
#include "view_atomics.h"
#undef INDICES

private:
  using dimensions = __detail::indices_t<Shape::rank()>;

  // Without a mask, all of them are inside.
  template <bool Masked, __detail::size_t... K, class... I>
  TESSERA_API auto elements(__detail::indices<K...>, const I &...index) const noexcept {
    const auto at =
        __detail::span_elements<Span, Shape>(span_, __detail::gather_line<K, Shape>(index)...);
    if constexpr (Masked)
      return at;
    else
      return __detail::promised(at, at.inside);
  }

  Span span_;
};
template <class Span, class Shape, auto D> gather_scatter_view(Span, Shape, integral_constant<D>)
    -> gather_scatter_view<Span, Shape, __detail::size_t(D)>;

} // namespace cuda::tiles
