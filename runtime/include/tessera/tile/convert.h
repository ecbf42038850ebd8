// Conversions: broadcasting, the arithmetic and comparison conversions, and `operand`, which every
// operation applies to its arguments. [tile:general_principles, tile conversions]
#pragma once

#include "tile.h"

namespace cuda::tiles {

namespace __detail {

inline constexpr auto nearest = rounding_mode::round_ties_to_even;
inline constexpr auto keep_subnormals = subnormals_rounding_mode::preserve_subnormals;

// ---- shapes -----------------------------------------------------------------------------------
// Extent k of S after aligning S to the right of `rank` dimensions; 1 in front of it.
template <class S> consteval size_t aligned_extent(size_t rank, size_t k) {
  return k + S::rank() < rank ? 1 : S::static_extent(k + S::rank() - rank);
}

template <class S, class B> consteval bool broadcasts() {
  if (S::rank() > size_t(B::rank()))
    return false;
  for (size_t k = 0; k < B::rank(); ++k)
    if (aligned_extent<S>(B::rank(), k) != 1 &&
        aligned_extent<S>(B::rank(), k) != B::static_extent(k))
      return false;
  return true;
}

// 0, which no tile shape has, if the two do not broadcast against each other.
template <class S, class T> consteval size_t mutual_extent(size_t rank, size_t k) {
  const size_t s = aligned_extent<S>(rank, k), t = aligned_extent<T>(rank, k);
  return s == t || t == 1 ? s : s == 1 ? t : 0;
}

template <class S, class T, class K = indices_t<(S::rank() > T::rank() ? S::rank() : T::rank())>>
struct mutual;
template <class S, class T, size_t... K> struct mutual<S, T, indices<K...>> {
  using type = shape<mutual_extent<S, T>(sizeof...(K), K)...>;
};
template <class L, class R> using mutual_shape = typename mutual<shape_of<L>, shape_of<R>>::type;
template <class L, class R>
concept mutually_broadcastable = tile_shape<mutual_shape<L, R>>;

template <class L, class R> inline constexpr bool any_tile = is_tile<L> || is_tile<R>;

template <class E, class S, bool Tile> struct tile_or_scalar {
  using type = E;
};
template <class E, class S> struct tile_or_scalar<E, S, true> {
  using type = tile<E, S>;
};

// ---- elements ---------------------------------------------------------------------------------
template <class L, class R> using common_element = common_t<element_of<L>, element_of<R>>;
// A tile's element type takes precedence over a scalar's.
template <class L, class R> using converted_element =
    conditional_t<is_tile<L> == is_tile<R>, common_element<L, R>,
                  conditional_t<is_tile<L>, element_of<L>, element_of<R>>>;

template <class L, class R, class E>
concept both_fit = arithmetic_tile<L> && arithmetic_tile<R> && arithmetic_scalar<E> &&
                   fits_in_arithmetic<element_of<L>, E> && fits_in_arithmetic<element_of<R>, E> &&
                   mutually_broadcastable<L, R>;

template <class R, class A>
TESSERA_API operand_t<R, A> convert_elements(__prim::lanes_arg<A> x) noexcept {
  using from = typename A::element_type;
  using to = typename R::element_type;
  if constexpr (is_same<from, to>)
    return x;
  else if constexpr (is_pointer<from> && is_same<to, bool>)
    return __prim::compare<__prim::compare_op::ne, R, A>(x, __prim::splat<A>(0));
  else if constexpr (is_pointer<from>)
    return __prim::bitcast<R, A>(x);
  else
    return __prim::cast<R, A, nearest>(x);
}

// A scalar, or a tile with converted elements, as an operand of tile type R.
template <class R> TESSERA_API auto repeat(__prim::lane_t<R> x) noexcept {
#ifdef TESSERA_HAS_BODIES
  if constexpr (shape_of<R>::static_size() > 1)
    return __prim::uniform<R>{{x}};
  else
#endif
    return __prim::splat<R>(x);
}
template <class R, class A> TESSERA_API auto repeat(__prim::lanes_arg<A> x) noexcept {
#ifdef TESSERA_HAS_BODIES
  if constexpr (repeats_one_element<R, A>)
    return repeat<R>(__prim::scalar<A>(x));
  else
#endif
    return __prim::broadcast<R, A>(x);
}

// The lanes of a scalar or tile after conversion to the element type and broadcast to the shape of
// the tile type R.
template <class R, class A> TESSERA_API operand_t<R, A> operand(const A &a) noexcept {
  using to = typename R::element_type;
  if constexpr (is_same<A, R>) {
    return access::lanes(a);
  } else if constexpr (is_tile<A>) {
    using converted = tile<to, shape_of<A>>;
    if constexpr (is_same<converted, R>)
      return convert_elements<R, A>(access::lanes(a));
    else
      return repeat<R, converted>(convert_elements<converted, A>(access::lanes(a)));
  } else if constexpr (is_same<A, to>) {
    return repeat<R>(to_lane<A>(a));
  } else if constexpr ((is_builtin<A> && is_builtin<to>) || is_pointer<A>) {
    return repeat<R>(to_lane<to>(static_cast<to>(a)));
  } else {
    using one = tile<to, shape<>>;
    const auto converted =
        convert_elements<one, as_tile<A>>(__prim::splat<as_tile<A>>(to_lane<A>(a)));
    if constexpr (is_same<one, R>)
      return converted;
    else
      return repeat<R, one>(converted);
  }
}

// The element of a one-element tile as a U.
template <class U, class A> TESSERA_API U to_scalar(const A &a) noexcept {
  using from = typename A::element_type;
  if constexpr (is_same<from, U> || (is_builtin<from> && is_builtin<U>) || is_pointer<from>)
    return static_cast<U>(from_lane<from>(__prim::scalar<A>(access::lanes(a))));
  else
    return from_lane<U>(__prim::scalar<tile<U, shape_of<A>>>(operand<tile<U, shape_of<A>>>(a)));
}

// The tile or scalar T with these lanes.
template <class T, class X = void> TESSERA_API T wrap(__prim::in_place<as_tile<T>, X> x) noexcept {
  if constexpr (is_tile<T>)
    return access::make<T>(x);
  else
    return from_lane<T>(__prim::scalar<as_tile<T>>(__prim::evaluate<as_tile<T>>(x)));
}

// ---- the building blocks of most operations ---------------------------------------------------
// Operands converted to the result type (for a comparison: to the common type).
template <__prim::unary_op Op, rounding_mode Round = nearest,
          subnormals_rounding_mode Sub = keep_subnormals, class T>
TESSERA_API T unary(const T &x) noexcept {
  return wrap<T>(
      TESSERA_IN_PLACE(__prim::unary<Op, Round, Sub, as_tile<T>>(operand<as_tile<T>>(x))));
}
template <class T, __prim::binary_op Op, rounding_mode Round = nearest,
          subnormals_rounding_mode Sub = keep_subnormals, class L, class R>
TESSERA_API T binary(const L &l, const R &r) noexcept {
  return wrap<T>(TESSERA_IN_PLACE(
      __prim::binary<Op, Round, Sub, as_tile<T>>(operand<as_tile<T>>(l), operand<as_tile<T>>(r))));
}
template <class T, class E, __prim::compare_op Op, class L, class R>
TESSERA_API T compare(const L &l, const R &r) noexcept {
  using common = tile<E, shape_of<T>>;
  return wrap<T>(TESSERA_IN_PLACE(
      __prim::compare<Op, as_tile<T>, common>(operand<common>(l), operand<common>(r))));
}

} // namespace __detail

// T broadcasts to Shape: right-aligned, every extent equal or 1.
template <class T, class Shape>
concept broadcastable_to =
    tile_like<T> && tile_shape<Shape> && __detail::broadcasts<__detail::shape_of<T>, Shape>();

// Elements of type E in the mutual broadcast shape; a scalar if both are scalars.
template <tile_like L, tile_like R, scalar E>
  requires __detail::mutually_broadcastable<L, R>
using mutual_broadcast_t = typename __detail::tile_or_scalar<E, __detail::mutual_shape<L, R>,
                                                             __detail::any_tile<L, R>>::type;

// Operands of arithmetic: the element type is the common type, or that of the tile if the other
// operand is a scalar; neither operand narrows, except from integral to floating point.
template <class L, class R>
concept arithmetic_tile_convertible = __detail::both_fit<L, R, __detail::converted_element<L, R>>;
template <class L, class R>
  requires arithmetic_tile_convertible<L, R>
using arithmetic_tile_conversion_t = mutual_broadcast_t<L, R, __detail::converted_element<L, R>>;

// Operands of comparisons: always the common type.
template <class L, class R>
concept arithmetic_tile_comparable = __detail::both_fit<L, R, __detail::common_element<L, R>>;
template <class L, class R>
  requires arithmetic_tile_comparable<L, R>
using arithmetic_tile_comparison_t = mutual_broadcast_t<L, R, __detail::common_element<L, R>>;

// Elements after integral promotion.
template <arithmetic_tile T> using arithmetic_tile_promotion_t =
    tile_with_element_t<T, __detail::promoted_t<__detail::element_of<T>>>;

} // namespace cuda::tiles
