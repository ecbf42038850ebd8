// The tile: a value of static shape whose elements are computed together; and the concepts of
// tile-like types. [tile:tile]
//
// Tile-like means a scalar or a tile. A scalar behaves like a tile of rank 0 and stays a scalar
// where all operands are scalars.
#pragma once

#include "primitives.h"
#include "span.h"

namespace cuda::tiles {

template <scalar E, tile_shape S> struct tile;

namespace __detail {
namespace printing {
struct base {}; // makes lookup find the printf of print.h for calls with a tile
} // namespace printing

template <class T> struct traits { // scalars, and everything else
  using element = T;
  using shape_type = shape<>;
  template <class E> using with_element = E;
  static constexpr bool is_tile = false;
};
template <class E, class S> struct traits<tile<E, S>> {
  using element = E;
  using shape_type = S;
  template <class U> using with_element = tile<U, S>;
  static constexpr bool is_tile = true;
};

template <class T> inline constexpr bool is_tile = traits<remove_cv_t<T>>::is_tile;
template <class T> using element_of = typename traits<remove_cv_t<T>>::element;
template <class T> using shape_of = typename traits<remove_cv_t<T>>::shape_type;
template <class T> using as_tile =
    tile<element_of<T>, shape_of<T>>; // the tile of rank 0 for a scalar

struct access { // the only access to the lanes of a tile
  template <class T> TESSERA_API static const __prim::lanes<T> &lanes(const T &t) noexcept {
    return t.lanes_;
  }
  template <class T, class X = void> TESSERA_API static T make(__prim::in_place<T, X> x) noexcept {
    return T(access(), x);
  }
};

template <class From, class To> inline constexpr bool tile_converts =
    is_same<shape_of<From>, shape_of<To>> && converts<element_of<From>, element_of<To>>;
template <class From, class To> inline constexpr bool tile_fits =
    tile_converts<From, To> && fits<element_of<From>, element_of<To>>();

#ifdef TESSERA_HAS_BODIES
template <class R, class A> inline constexpr bool repeats_one_element =
    shape_of<A>::static_size() == 1 && shape_of<R>::static_size() > 1;
template <class R, class A> using converted_operand_t =
    conditional_t<repeats_one_element<R, A>, __prim::uniform<R>, __prim::lanes<R>>;
#else
template <class R, class A> using converted_operand_t = __prim::lanes<R>;
#endif
template <class R, class A> using operand_t =
    conditional_t<is_same<A, R>, __prim::lanes_arg<R>,
                  converted_operand_t<R, A>>; // nothing to do, nothing to copy
template <class R, class A> TESSERA_API operand_t<R, A> operand(const A &a) noexcept; // convert.h
template <class U, class A> TESSERA_API U to_scalar(const A &a) noexcept;             // convert.h
} // namespace __detail

// A tile, or a scalar, which counts as a tile of rank 0.
template <class T>
concept tile_like = __detail::is_tile<T> || scalar<T>;

// The element type, without cv; the shape, which of a scalar is shape<>; T with elements E.
template <tile_like T> using tile_element_t = __detail::element_of<T>;
template <tile_like T> using tile_shape_t = __detail::shape_of<T>;
template <tile_like T, scalar E> using tile_with_element_t = typename __detail::traits<
    __detail::remove_cv_t<T>>::template with_element<__detail::remove_cv_t<E>>;

// The element types, with any cv. Integral ones: bool, characters and integers. Basic
// floating-point ones: half, bf16, float and double; restricted ones, which only convert and
// multiply: tf32, fp8 and fp4. Arithmetic ones: integral and basic floating-point. Numeric ones:
// all but pointers.
template <class E>
concept integral_scalar = __detail::is_integral<__detail::remove_cv_t<E>>;
template <class E>
concept basic_floating_point_scalar = __detail::is_basic_float<__detail::remove_cv_t<E>>;
template <class E>
concept restricted_floating_point_scalar = __detail::is_restricted_float<__detail::remove_cv_t<E>>;
template <class E>
concept floating_point_scalar = __detail::is_float<__detail::remove_cv_t<E>>;
template <class E>
concept arithmetic_scalar = __detail::is_arithmetic<__detail::remove_cv_t<E>>;
template <class E>
concept numeric_scalar = __detail::is_numeric<__detail::remove_cv_t<E>>;
template <class E>
concept pointer_scalar = __detail::is_pointer<__detail::remove_cv_t<E>>;

// Tiles and scalars by their elements.
template <class T>
concept integral_tile = tile_like<T> && integral_scalar<__detail::element_of<T>>;
template <class T>
concept basic_floating_point_tile =
    tile_like<T> && basic_floating_point_scalar<__detail::element_of<T>>;
template <class T>
concept restricted_floating_point_tile =
    tile_like<T> && restricted_floating_point_scalar<__detail::element_of<T>>;
template <class T>
concept floating_point_tile = tile_like<T> && floating_point_scalar<__detail::element_of<T>>;
template <class T>
concept arithmetic_tile = tile_like<T> && arithmetic_scalar<__detail::element_of<T>>;
template <class T>
concept numeric_tile = tile_like<T> && numeric_scalar<__detail::element_of<T>>;
template <class T>
concept pointer_tile = tile_like<T> && pointer_scalar<__detail::element_of<T>>;

// Elements convert and shapes are equal; a scalar has the shape of a tile of rank 0.
template <class From, class To>
concept tile_convertible_to = tile_like<From> && tile_like<To> && __detail::tile_converts<From, To>;
template <class From, class To>
concept non_narrowing_tile_convertible_to =
    tile_convertible_to<From, To> && __detail::tile_fits<From, To>;
template <class T>
concept bool_tile_convertible = tile_like<T> && __detail::converts<__detail::element_of<T>, bool>;

// Elements of type E in the shape S. Default construction leaves them uninitialized. Converts from
// tiles of the same shape, from a scalar at rank 0 (implicitly if nothing narrows), and explicitly
// to a scalar if there is one element.
template <scalar E, tile_shape S> struct tile final : __detail::printing::base {
  static_assert(!__detail::is_cv<E> && !__detail::is_cv<S>,
                "the element type and the shape of a tile may not be cv-qualified");
  using element_type = E;
  using shape_type = S;

  tile() = default;

  template <scalar U>
    requires tile_convertible_to<U, tile>
  TESSERA_API explicit(!__detail::tile_fits<U, tile>) tile(U x) noexcept
      : lanes_(__detail::operand<tile>(x)) {}

  template <scalar U>
    requires(tile_convertible_to<tile<U, S>, tile> && !__detail::is_same<U, E>)
  TESSERA_API explicit(!__detail::tile_fits<tile<U, S>, tile>) tile(const tile<U, S> &t) noexcept
      : lanes_(__detail::operand<tile>(t)) {}

  template <scalar U>
    requires(S::static_size() == 1 && __detail::converts<E, U>)
  TESSERA_API explicit operator U() const noexcept {
    return __detail::to_scalar<U>(*this);
  }

private:
  friend __detail::access;
  template <class X = void> TESSERA_API tile(__detail::access, __prim::in_place<tile, X> x) noexcept
      : lanes_(__prim::evaluate<tile>(x)) {}
  __prim::lanes<tile> lanes_;
};
template <scalar E> tile(E) -> tile<E, shape<>>;

} // namespace cuda::tiles
