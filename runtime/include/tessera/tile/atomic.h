// Atomic operations through pointer tiles, one per element. [tile:memory_operations, atomics]
//
// The order is mandatory, as a tag argument or as the first template argument; the scope is the
// system unless given. Every function has a _masked form with the mask after the values.
// Read-modify-write functions return the old elements.
#pragma once

#include "pointer.h"

namespace cuda::tiles {

namespace detail {
template <class P> using target_of = remove_cv_t<pointee_of<P>>;
template <class P>
concept atomic_integer =
    storeable_tile<P> && is_integral<target_of<P>> && sizeof(lane_of<target_of<P>>) >= 4;
template <class P>
concept addable = atomic_integer<P> || (storeable_tile<P> && is_basic_float<target_of<P>>);
template <class P>
concept exchangeable =
    atomic_integer<P> || (storeable_tile<P> && is_one_of<target_of<P>, float, double>);

template <prim::atomic_op Op, memory_order O, thread_scope S, class P, class V, class M>
TESSERA_API tile_load_t<P> atomic_rmw(const P &p, const V &value, const M &mask) noexcept {
  using R = tile_load_t<P>;
  return wrap<R>(TESSERA_IN_PLACE(prim::atomic_rmw<Op, O, S, as_tile<R>, as_tile<P>, mask_of<P>>(
      operand<as_tile<P>>(p), operand<as_tile<R>>(value), operand<mask_of<P>>(mask))));
}
} // namespace detail

// NAME(p, value, order[, scope]) and NAME_masked(p, value, mask, order[, scope]).
#define TESSERA_ATOMIC(NAME, OP, TARGET)                                                           \
  template <memory_order O, thread_scope S = default_thread_scope(), detail::TARGET P,             \
            tile_like V>                                                                           \
    requires detail::value_for<P, V>                                                               \
  TESSERA_API tile_load_t<P> NAME(prim::arg<P> p, prim::arg<V> value,                              \
                                  memory_order_constant<O> = {},                                   \
                                  thread_scope_constant<S> = {}) noexcept {                        \
    return detail::atomic_rmw<prim::atomic_op::OP, O, S>(p, value, true);                          \
  }                                                                                                \
  template <memory_order O, thread_scope S = default_thread_scope(), detail::TARGET P,             \
            tile_like V, bool_tile_convertible M>                                                  \
    requires detail::value_for<P, V> && detail::mask_for<P, M>                                     \
  TESSERA_API tile_load_t<P> NAME##_masked(prim::arg<P> p, prim::arg<V> value, prim::arg<M> mask,  \
                                           memory_order_constant<O> = {},                          \
                                           thread_scope_constant<S> = {}) noexcept {               \
    return detail::atomic_rmw<prim::atomic_op::OP, O, S>(p, value, mask);                          \
  }

TESSERA_ATOMIC(atomic_add, add, addable)
TESSERA_ATOMIC(atomic_sub, sub, addable)
TESSERA_ATOMIC(atomic_and, bit_and, atomic_integer)
TESSERA_ATOMIC(atomic_or, bit_or, atomic_integer)
TESSERA_ATOMIC(atomic_xor, bit_xor, atomic_integer)
TESSERA_ATOMIC(atomic_max, max, atomic_integer)
TESSERA_ATOMIC(atomic_min, min, atomic_integer)
TESSERA_ATOMIC(atomic_xchg, xchg, exchangeable)
#undef TESSERA_ATOMIC

// The elements, read atomically; every element type. Masked-off elements are 0.
template <memory_order O, thread_scope S = default_thread_scope(), loadable_tile P,
          bool_tile_convertible M>
  requires read_memory_order<O> && detail::mask_for<P, M>
TESSERA_API tile_load_t<P> atomic_load_masked(prim::arg<P> p, prim::arg<M> mask,
                                              memory_order_constant<O> = {},
                                              thread_scope_constant<S> = {}) noexcept {
  using R = tile_load_t<P>;
  using A = detail::as_tile<P>;
  using B = detail::mask_of<P>;
  return detail::wrap<R>(TESSERA_IN_PLACE(prim::atomic_load<O, S, detail::as_tile<R>, A, B>(
      detail::operand<A>(p), detail::operand<B>(mask))));
}
template <memory_order O, thread_scope S = default_thread_scope(), loadable_tile P>
  requires read_memory_order<O>
TESSERA_API tile_load_t<P> atomic_load(prim::arg<P> p, memory_order_constant<O> order = {},
                                       thread_scope_constant<S> scope = {}) noexcept {
  return atomic_load_masked(p, true, order, scope);
}

// Writes the elements atomically; of several to one place, one wins.
template <memory_order O, thread_scope S = default_thread_scope(), storeable_tile P, tile_like V,
          bool_tile_convertible M>
  requires write_memory_order<O> && detail::value_for<P, V> && detail::mask_for<P, M>
TESSERA_API void atomic_store_masked(prim::arg<P> p, prim::arg<V> value, prim::arg<M> mask,
                                     memory_order_constant<O> = {},
                                     thread_scope_constant<S> = {}) noexcept {
  using A = detail::as_tile<P>;
  using B = detail::as_tile<tile_load_t<P>>;
  using C = detail::mask_of<P>;
  prim::atomic_store<O, S, A, B, C>(detail::operand<A>(p), detail::operand<B>(value),
                                    detail::operand<C>(mask));
}
template <memory_order O, thread_scope S = default_thread_scope(), storeable_tile P, tile_like V>
  requires write_memory_order<O> && detail::value_for<P, V>
TESSERA_API void atomic_store(prim::arg<P> p, prim::arg<V> value,
                              memory_order_constant<O> order = {},
                              thread_scope_constant<S> scope = {}) noexcept {
  atomic_store_masked(p, value, true, order, scope);
}

// Stores desired where memory holds the bits of expected; returns the old elements, masked-off ones
// are expected.
template <memory_order O, thread_scope S = default_thread_scope(), detail::exchangeable P,
          tile_like V, tile_like W, bool_tile_convertible M>
  requires detail::value_for<P, V> && detail::value_for<P, W> && detail::mask_for<P, M>
TESSERA_API tile_load_t<P> atomic_compare_exchange_masked(prim::arg<P> p, prim::arg<V> expected,
                                                          prim::arg<W> desired, prim::arg<M> mask,
                                                          memory_order_constant<O> = {},
                                                          thread_scope_constant<S> = {}) noexcept {
  using T = tile_load_t<P>;
  using R = detail::as_tile<T>;
  using A = detail::as_tile<P>;
  using B = detail::mask_of<P>;
  return detail::wrap<T>(TESSERA_IN_PLACE(prim::atomic_compare_exchange<O, S, R, A, B>(
      detail::operand<A>(p), detail::operand<R>(expected), detail::operand<R>(desired),
      detail::operand<B>(mask))));
}
template <memory_order O, thread_scope S = default_thread_scope(), detail::exchangeable P,
          tile_like V, tile_like W>
  requires detail::value_for<P, V> && detail::value_for<P, W>
TESSERA_API tile_load_t<P> atomic_compare_exchange(prim::arg<P> p, prim::arg<V> expected,
                                                   prim::arg<W> desired,
                                                   memory_order_constant<O> order = {},
                                                   thread_scope_constant<S> scope = {}) noexcept {
  return atomic_compare_exchange_masked(p, expected, desired, true, order, scope);
}

} // namespace cuda::tiles
