// Pointer tiles: offsets, differences, load and store. [tile:memory_operations]
//
// A scalar pointer is a pointer tile of rank 0 and loads a scalar. Masks and paddings broadcast to
// the shape of the pointers, values never do; values and paddings do not narrow. Masked-off
// elements are not accessed. Bounds are not checked.
#pragma once

#include "arithmetic.h"
#include "compare.h"
#include "create.h"

namespace cuda::tiles {

// Pointers to objects that are not volatile; and not const.
template <class T>
concept loadable_tile =
    pointer_tile<T> && !__detail::is_same<__detail::remove_cv_t<__detail::pointee_of<T>>, void> &&
    !__detail::is_volatile<__detail::pointee_of<T>>;
template <class T>
concept storeable_tile = loadable_tile<T> && !__detail::is_const<__detail::pointee_of<T>>;

// The result of a load through the pointers: the same shape with cv-free elements.
template <loadable_tile T> using tile_load_t =
    tile_with_element_t<T, __detail::remove_cv_t<__detail::pointee_of<T>>>;

namespace __detail {
template <class P>
concept steppable = pointer_tile<P> && !is_same<remove_cv_t<pointee_of<P>>, void>;
template <class P, class I>
concept offset_operands =
    steppable<P> && integral_tile<I> && any_tile<P, I> && mutually_broadcastable<P, I>;
template <class P, class I> using offset_t = mutual_broadcast_t<P, I, element_of<P>>;

template <class P, class N, class I>
TESSERA_API offset_t<P, I> step(const P &p, const N &n) noexcept {
  using R = as_tile<offset_t<P, I>>;
  using A = tile<element_of<N>, shape_of<R>>;
  return access::make<R>(TESSERA_IN_PLACE(__prim::offset<R, A>(operand<R>(p), operand<A>(n))));
}
template <class P, class I>
TESSERA_API offset_t<P, I> step_forward(const P &p, const I &n) noexcept {
  if constexpr (is_same<element_of<I>, bool>)
    return step<P, tile_with_element_t<I, int>, I>(p, element_cast<int>(n));
  else
    return step<P, I, I>(p, n);
}

template <class P, class V>
concept value_for = loadable_tile<P> && non_narrowing_tile_convertible_to<V, tile_load_t<P>>;
template <class P, class M>
concept mask_for = bool_tile_convertible<M> && broadcastable_to<M, shape_of<P>>;
template <class P, class V>
concept pad_for = loadable_tile<P> && broadcastable_to<V, shape_of<P>> &&
                  fits<element_of<V>, element_of<tile_load_t<P>>>();

template <class P> using mask_of = tile<bool, shape_of<P>>;
} // namespace __detail

// Pointers offset by n elements; n is integral of any width.
template <pointer_tile P, integral_tile I>
  requires __detail::offset_operands<P, I>
TESSERA_API __detail::offset_t<P, I> operator+(__prim::arg<P> p, __prim::arg<I> n) noexcept {
  return __detail::step_forward(p, n);
}
template <integral_tile I, pointer_tile P>
  requires __detail::offset_operands<P, I>
TESSERA_API __detail::offset_t<P, I> operator+(__prim::arg<I> n, __prim::arg<P> p) noexcept {
  return __detail::step_forward(p, n);
}
template <pointer_tile P, integral_tile I>
  requires __detail::offset_operands<P, I>
TESSERA_API __detail::offset_t<P, I> operator-(__prim::arg<P> p, __prim::arg<I> n) noexcept {
  using N = tile<long, tile_shape_t<I>>;
  return __detail::step<P, N, I>(
      p, -__detail::access::make<N>(TESSERA_IN_PLACE(__detail::operand<N>(n))));
}

// Elements between pointers to the same type.
template <pointer_tile P, pointer_tile Q>
  requires(__detail::any_tile<P, Q>) && __detail::same_pointees<P, Q> && __detail::steppable<P>
TESSERA_API mutual_broadcast_t<P, Q, long> operator-(__prim::arg<P> p, __prim::arg<Q> q) noexcept {
  using R = mutual_broadcast_t<P, Q, long>;
  using A = tile<const volatile __detail::pointee_of<P> *, tile_shape_t<R>>;
  return __detail::access::make<R>(
      TESSERA_IN_PLACE(__prim::difference<R, A>(__detail::operand<A>(p), __detail::operand<A>(q))));
}

// The elements pointed to.
template <loadable_tile P> TESSERA_API tile_load_t<P> load(__prim::arg<P> p) noexcept {
  using R = tile_load_t<P>;
  return __detail::wrap<R>(
      TESSERA_IN_PLACE(__prim::load<__detail::as_tile<R>, __detail::as_tile<P>>(
          __detail::operand<__detail::as_tile<P>>(p))));
}

// The same where the mask is set; elsewhere the padding, by default zero.
template <loadable_tile P, bool_tile_convertible M, tile_like V>
  requires __detail::mask_for<P, M> && __detail::pad_for<P, V>
TESSERA_API tile_load_t<P> load_masked(__prim::arg<P> p, __prim::arg<M> mask,
                                       __prim::arg<V> pad) noexcept {
  using R = tile_load_t<P>;
  using A = __detail::as_tile<P>;
  using B = __detail::mask_of<P>;
  return __detail::wrap<R>(TESSERA_IN_PLACE(__prim::load_masked<__detail::as_tile<R>, A, B>(
      __detail::operand<A>(p), __detail::operand<B>(mask),
      __detail::operand<__detail::as_tile<R>>(pad))));
}
template <loadable_tile P, bool_tile_convertible M>
  requires __detail::mask_for<P, M>
TESSERA_API tile_load_t<P> load_masked(__prim::arg<P> p, __prim::arg<M> mask) noexcept {
  using R = tile_load_t<P>;
  using A = __detail::as_tile<P>;
  using B = __detail::mask_of<P>;
  return __detail::wrap<R>(TESSERA_IN_PLACE(__prim::load_masked<__detail::as_tile<R>, A, B>(
      __detail::operand<A>(p), __detail::operand<B>(mask),
      __prim::splat<__detail::as_tile<R>>(0))));
}

// Writes value, which has the shape of the pointers. No element may be written twice.
template <storeable_tile P, tile_like V>
  requires __detail::value_for<P, V>
TESSERA_API void store(__prim::arg<P> p, __prim::arg<V> value) noexcept {
  using A = __detail::as_tile<P>;
  using B = __detail::as_tile<tile_load_t<P>>;
  __prim::store<A, B>(__detail::operand<A>(p), __detail::operand<B>(value));
}
// The same where the mask is set.
template <storeable_tile P, tile_like V, bool_tile_convertible M>
  requires __detail::value_for<P, V> && __detail::mask_for<P, M>
TESSERA_API void store_masked(__prim::arg<P> p, __prim::arg<V> value,
                              __prim::arg<M> mask) noexcept {
  using A = __detail::as_tile<P>;
  using B = __detail::as_tile<tile_load_t<P>>;
  using C = __detail::mask_of<P>;
  __prim::store_masked<A, B, C>(__detail::operand<A>(p), __detail::operand<B>(value),
                                __detail::operand<C>(mask));
}

} // namespace cuda::tiles
