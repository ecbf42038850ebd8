// Views divide a span into tiles: partition_view into adjacent tiles, strided_view into tiles that
// start every `stride` elements. [tile:partition_view, tile:strided_view]
//
// Indices count tiles, one arithmetic scalar per dimension. Masked forms pad or drop the elements
// outside the span; for the others the whole tile must be inside.
#pragma once

#include "span_pointers.h"

namespace cuda::tiles {

namespace __detail {

// A tile of Shape starts at element Step * index.
template <class Span, class Shape, size_t... Step> struct box_view {
  using span_type = Span;
  using view_shape_type = Shape;
  using view_tile_type = tile<typename Span::value_type, Shape>;
  using index_type = typename Span::index_type;
  using rank_type = typename Span::rank_type;

  TESSERA_HOST_API constexpr explicit box_view(const Span &s) noexcept : span_(s) {}
  TESSERA_HOST_API constexpr const Span &span() const noexcept { return span_; }

  // The tile at the index, all of it inside the span.
  template <class... I>
    requires view_indices<Span, I...>
  TESSERA_API view_tile_type load(I... index) const noexcept {
    return load_box<view_padding::zero, false>(dimensions(), index...);
  }
  // The same where elements may be outside; they read as the padding (template argument or tag,
  // zero by default). Infinities and NaN are for floating point.
  template <view_padding Pad = default_view_padding(), class... I>
    requires view_indices<Span, I...> && padding_for<typename Span::value_type, Pad>
  TESSERA_API view_tile_type load_masked(I... index) const noexcept {
    return load_box<Pad, true>(dimensions(), index...);
  }
  template <view_padding Pad, class... I>
    requires view_indices<Span, I...> && padding_for<typename Span::value_type, Pad>
  TESSERA_API view_tile_type load_masked(view_padding_constant<Pad>, I... index) const noexcept {
    return load_box<Pad, true>(dimensions(), index...);
  }

  // Writes a tile of the view's shape whose elements do not narrow; all of it is inside the span,
  // or (masked) the rest is dropped.
  template <class T, class... I>
    requires view_indices<Span, I...> && view_value<T, Span, Shape>
  TESSERA_API void store(__prim::arg<T> value, I... index) const noexcept {
    store_box<false>(dimensions(), value, index...);
  }
  template <class T, class... I>
    requires view_indices<Span, I...> && view_value<T, Span, Shape>
  TESSERA_API void store_masked(__prim::arg<T> value, I... index) const noexcept {
    store_box<true>(dimensions(), value, index...);
  }

#define INDICES view_indices<Span, I...>
#include "view_atomics.h"
#undef INDICES

  // Reductions access only elements inside the span, with and without a mask, and return nothing.
  // Some of the tile must be inside. Order (relaxed) and scope (block, device) are mandatory.
#define TESSERA_VIEW_ATOMIC(NAME, OP, TARGET)                                                      \
  template <class T, thread_scope S, class... I>                                                   \
    requires view_indices<Span, I...> && view_value<T, Span, Shape> && reduction_scope<S> &&       \
             TARGET<typename Span::data_handle_type>                                               \
  TESSERA_API void NAME(__prim::arg<T> value, memory_order_relaxed_t, thread_scope_constant<S>,    \
                        I... index) const noexcept {                                               \
    const auto at = elements<true>(dimensions(), index...);                                        \
    atomic_rmw<__prim::atomic_op::OP, memory_order::relaxed, S>(at.pointers, value, at.inside);    \
  }                                                                                                \
  template <class T, thread_scope S, class... I>                                                   \
    requires view_indices<Span, I...> && view_value<T, Span, Shape> && reduction_scope<S> &&       \
             TARGET<typename Span::data_handle_type>                                               \
  TESSERA_API void NAME##_masked(__prim::arg<T> value, memory_order_relaxed_t,                     \
                                 thread_scope_constant<S>, I... index) const noexcept {            \
    const auto at = elements<true>(dimensions(), index...);                                        \
    atomic_rmw<__prim::atomic_op::OP, memory_order::relaxed, S>(at.pointers, value, at.inside);    \
  }

  TESSERA_VIEW_ATOMIC(atomic_add, add, addable)
  TESSERA_VIEW_ATOMIC(atomic_sub, sub, addable)
  TESSERA_VIEW_ATOMIC(atomic_and, bit_and, atomic_integer)
  TESSERA_VIEW_ATOMIC(atomic_or, bit_or, atomic_integer)
  TESSERA_VIEW_ATOMIC(atomic_xor, bit_xor, atomic_integer)
  TESSERA_VIEW_ATOMIC(atomic_max, max, atomic_integer)
  TESSERA_VIEW_ATOMIC(atomic_min, min, atomic_integer)
#undef TESSERA_VIEW_ATOMIC

private:
  using dimensions = indices_t<sizeof...(Step)>;

  template <view_padding Pad, bool Masked, size_t... K, class... I>
  TESSERA_API view_tile_type load_box(indices<K...>, I... index) const noexcept {
    return access::make<view_tile_type>(
        TESSERA_IN_PLACE(__prim::view_load<view_tile_type, typename Span::value_type, Pad, Masked,
                                           __prim::dims<static_extent_at<Span, K>...>,
                                           __prim::dims<static_stride_at<Span, K>...>>(
            view_base(span_), extent_at<K>(span_)..., stride_at<K>(span_)...,
            start_at<Span, Step>(index)...)));
  }
  template <bool Masked, size_t... K, class T, class... I>
  TESSERA_API void store_box(indices<K...>, const T &value, I... index) const noexcept {
    __prim::view_store<view_tile_type, typename Span::value_type, Masked,
                       __prim::dims<static_extent_at<Span, K>...>,
                       __prim::dims<static_stride_at<Span, K>...>>(
        operand<view_tile_type>(value), view_base(span_), extent_at<K>(span_)...,
        stride_at<K>(span_)..., start_at<Span, Step>(index)...);
  }
  // Without a mask, all of them are inside; with one, some.
  template <bool Masked, size_t... K, class... I>
  TESSERA_API auto elements(indices<K...>, I... index) const noexcept {
    const auto at =
        span_elements<Span, Shape>(span_, run<K, Shape>(start_at<Span, Step>(index))...);
    if constexpr (Masked)
      return promised(
          at, broadcast<Shape>((... && (start_at<Span, Step>(index) < extent_at<K>(span_)))));
    else
      return promised(at, at.inside);
  }

  Span span_;
};

template <class Span, class Shape> struct partition;
template <class Span, size_t... D> struct partition<Span, shape<D...>> {
  using type = box_view<Span, shape<D...>, D...>;
};

template <class Span, class Shape, class Strides> struct strided {};
template <class Span, class Shape, class I, size_t... D>
struct strided<Span, Shape, strides<I, D...>> {
  using type = box_view<Span, Shape, D...>;
};
template <class S> inline constexpr bool are_steps = false;
template <class I, size_t... D> inline constexpr bool are_steps<strides<I, D...>> =
    ((D != 0 && D != size_t(dynamic_stride)) && ...);
} // namespace __detail

// Tiles of the given shape next to each other; tile (i, j) starts at element (i * Shape[0], j *
// Shape[1]).
template <tensor_span_like Span, tile_shape Shape>
  requires __detail::viewable<Span, Shape>
struct partition_view : __detail::partition<Span, Shape>::type {
  TESSERA_HOST_API constexpr explicit(false) partition_view(const Span &s, Shape = {}) noexcept
      : __detail::partition<Span, Shape>::type(s) {}
};
template <class Span, class Shape> partition_view(Span, Shape) -> partition_view<Span, Shape>;

// Tiles that start every Strides elements; they may overlap or leave gaps. Strides have the index
// type of the span.
template <tensor_span_like Span, tile_shape Shape, strides_like Strides>
  requires(__detail::viewable<Span, Shape> && __detail::are_steps<Strides> &&
           __detail::size_t(Strides::rank()) == Shape::rank() &&
           __detail::is_same<typename Strides::index_type, typename Span::index_type>)
struct strided_view : __detail::strided<Span, Shape, Strides>::type {
  using strides_type = Strides;
  TESSERA_HOST_API constexpr strided_view(const Span &s, Shape = {}, Strides = {}) noexcept
      : __detail::strided<Span, Shape, Strides>::type(s) {}
};
template <class Span, class Shape, class Strides> strided_view(Span, Shape, Strides)
    -> strided_view<Span, Shape, Strides>;

} // namespace cuda::tiles
