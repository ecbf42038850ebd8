// The common part of views: the spans and arguments that they take, and the elements of a span as
// pointer tiles, for operations without a view primitive.
#pragma once

#include "atomic.h"
#include "checked.h"
#include "create.h"
#include "shape_ops.h"

namespace cuda::tiles::__detail {

// ---- statically known facts of a span ---------------------------------------------------------
template <class Span, size_t K> inline constexpr long long static_extent_at =
    static_cast<long long>(static_extent_of<typename Span::extents_type>(K));
template <class Span, size_t K> inline constexpr long long static_stride_at =
    static_cast<long long>(layout_mapping_static_stride<typename Span::mapping_type>{}(K));

template <class Span, size_t... K> consteval bool no_static_zero(indices<K...>) {
  return ((static_extent_at<Span, K> != 0 && static_stride_at<Span, K> != 0) && ...);
}
// Spans that views take: of the rank of the shape, which is not 0, without a static extent or
// stride of 0.
template <class Span, class Shape>
concept viewable = !is_cv<Span> && !is_cv<Shape> && Shape::rank() != 0 &&
                   size_t(Span::extents_type::rank()) == Shape::rank() &&
                   no_static_zero<Span>(indices_t<Shape::rank()>());

template <class Span, class... I>
concept view_indices =
    sizeof...(I) == size_t(Span::extents_type::rank()) && (arithmetic_scalar<I> && ...);
template <class T, class Span, class Shape>
concept view_value = is_tile<T> && !is_const<typename Span::element_type> &&
                     !is_volatile<typename Span::element_type> &&
                     non_narrowing_tile_convertible_to<T, tile<typename Span::value_type, Shape>>;
template <class E, view_padding Pad>
concept padding_for = Pad == view_padding::zero || is_float<E> ||
                      (is_integral<E> && Pad == view_padding::negative_zero);
template <view_padding Pad, class E> TESSERA_API E padding_value() noexcept {
  if constexpr (Pad == view_padding::zero || is_integral<E>)
    return from_lane<E>(0);
  else if constexpr (Pad == view_padding::negative_zero)
    return element_cast<E>(-0.0f);
  else if constexpr (is_same<E, __nv_fp8_e5m2> && Pad == view_padding::positive_inf)
    return from_lane<E>(0x7c); // conversions give the largest number instead
  else if constexpr (is_same<E, __nv_fp8_e5m2> && Pad == view_padding::negative_inf)
    return from_lane<E>(0xfc);
  else if constexpr (Pad == view_padding::positive_inf)
    return element_cast<E>(__builtin_huge_valf());
  else if constexpr (Pad == view_padding::negative_inf)
    return element_cast<E>(-__builtin_huge_valf());
  else
    return element_cast<E>(__builtin_nanf(""));
}
template <thread_scope S>
concept reduction_scope = S != thread_scope::system;

// ---- positions: elements, unsigned, 64 bits only where the index type of the span is ----------
template <class Span> using dimension_type =
    conditional_t<(sizeof(typename Span::index_type) > 4), unsigned long long, unsigned>;
// A check detects an index whose tile would start at another index's position if positions were
// narrower.
template <class Span> using position_type =
    conditional_t<__prim::checks_bounds, unsigned long long, dimension_type<Span>>;

template <size_t K, class Span> TESSERA_API position_type<Span> extent_at(const Span &s) noexcept {
  if constexpr (static_extent_at<Span, K> != __prim::dynamic_dim)
    return static_cast<dimension_type<Span>>(static_extent_at<Span, K>);
  else
    return static_cast<dimension_type<Span>>(list_value<K>(s.mapping().extents()));
}
template <size_t K, class Span> TESSERA_API position_type<Span> stride_at(const Span &s) noexcept {
  if constexpr (static_stride_at<Span, K> != __prim::dynamic_dim)
    return static_cast<dimension_type<Span>>(static_stride_at<Span, K>);
  else if constexpr (requires { s.mapping().template stride_at<K>(); })
    return static_cast<dimension_type<Span>>(s.mapping().template stride_at<K>());
  else
    return static_cast<dimension_type<Span>>(s.mapping().stride(K));
}

// The element at which the tile of an index starts. If the product overflows every position type,
// checks receive the minimum, which no view contains.
template <class Span, size_t Step, class I>
TESSERA_API position_type<Span> start_at(I index) noexcept {
  if constexpr (__prim::checks_bounds) {
    constexpr long long largest = 0x7fffffffffffffffll,
                        last = largest / static_cast<long long>(Step);
    const auto i = static_cast<long long>(index);
    return static_cast<unsigned long long>(
        i > last || i < -last ? -largest - 1 : i * static_cast<long long>(Step));
  } else {
    return static_cast<position_type<Span>>(index) * static_cast<position_type<Span>>(Step);
  }
}
template <class Span> TESSERA_API auto view_base(const Span &s) noexcept {
  return const_cast<typename Span::value_type *>(s.data_handle());
}

// ---- elements of a span as pointers -----------------------------------------------------------
// Coordinates along dimension Dim of a tile of shape S: they vary in that dimension only.
template <size_t Dim, class S, class K = indices_t<S::rank()>> struct line_shape;
template <size_t Dim, class S, size_t... K> struct line_shape<Dim, S, indices<K...>> {
  using type = shape<(K == Dim ? S::static_extent(K) : 1)...>;
};
template <size_t Dim, class S> using line =
    tile<unsigned long long, typename line_shape<Dim, S>::type>;

// start, start + 1, ...
template <size_t Dim, class S> TESSERA_API line<Dim, S> run(unsigned long long start) noexcept {
  return iota<line<Dim, S>>() + start;
}

// Elements that are pointers are accessed as integers: there are no tiles of pointers to pointers.
template <class E> struct cell {
  using type = E;
};
template <class P> struct cell<P *> {
  using type = unsigned long long;
};
template <class P> struct cell<P *const> {
  using type = const unsigned long long;
};
template <class E> using cell_of = typename cell<E>::type;
template <class V, class T> TESSERA_API auto to_cells(const T &value) noexcept {
  if constexpr (is_pointer<element_of<V>>)
    return element_bitcast<unsigned long long>(V(value));
  else
    return value;
}
template <class V, class T> TESSERA_API V from_cells(const T &cells) noexcept {
  if constexpr (is_pointer<element_of<V>>)
    return element_bitcast<element_of<V>>(cells);
  else
    return cells;
}

template <class E, class Shape> struct located {
  tile<cell_of<E> *, Shape> pointers;
  tile<bool, Shape> inside;
};

// The elements whose coordinate along dimension K is coordinate K, and a mask of those inside the
// span.
template <class Span, class Shape, size_t... K, class... Line>
TESSERA_API located<typename Span::element_type, Shape> locate(const Span &s, indices<K...>,
                                                               const Line &...coordinate) noexcept {
  const auto offset = (... + (coordinate * static_cast<unsigned long long>(stride_at<K>(s))));
  const auto inside = (... && (coordinate < static_cast<unsigned long long>(extent_at<K>(s))));
  auto *const base = reinterpret_cast<cell_of<typename Span::element_type> *>(s.data_handle());
  return {broadcast<Shape>(base) + broadcast<Shape>(offset), broadcast<Shape>(inside)};
}
template <class Span, class Shape, class... Line>
TESSERA_API located<typename Span::element_type, Shape>
span_elements(const Span &s, const Line &...coordinate) noexcept {
  return locate<Span, Shape>(s, indices_t<sizeof...(Line)>(), coordinate...);
}

// The same elements, with the programmer's guarantee that the masked ones are inside the span.
template <class E, class Shape> TESSERA_API located<E, Shape>
promised(const located<E, Shape> &at, const tile<bool, Shape> &inside) noexcept {
  using P = tile<cell_of<E> *, Shape>;
  using M = tile<bool, Shape>;
  return {access::make<P>(
              TESSERA_IN_PLACE(__prim::inside<P, M>(operand<P>(at.pointers), operand<M>(inside)))),
          at.inside};
}

} // namespace cuda::tiles::__detail
