// Atomic operations through pointer tiles, one per element. [tile:memory_operations, atomics]
//
// The order is mandatory, as a tag argument or as the first template argument; the scope is the
// system unless given. Every function has a _masked form with the mask after the values.
// Read-modify-write functions return the old elements.
#pragma once

#include "pointer.h"

namespace cuda::tiles {

namespace __detail {
template <class P> using target_of = remove_cv_t<pointee_of<P>>;
template <class P>
concept atomic_integer =
    storeable_tile<P> && is_integral<target_of<P>> && sizeof(lane_of<target_of<P>>) >= 4;
template <class P>
concept addable = atomic_integer<P> || (storeable_tile<P> && is_basic_float<target_of<P>>);
template <class P>
concept exchangeable =
    atomic_integer<P> || (storeable_tile<P> && is_one_of<target_of<P>, float, double>);

template <__prim::atomic_op Op, memory_order O, thread_scope S, class P, class V, class M>
TESSERA_API tile_load_t<P> atomic_rmw(const P &p, const V &value, const M &mask) noexcept {
  using R = tile_load_t<P>;
  return wrap<R>(TESSERA_IN_PLACE(__prim::atomic_rmw<Op, O, S, as_tile<R>, as_tile<P>, mask_of<P>>(
      operand<as_tile<P>>(p), operand<as_tile<R>>(value), operand<mask_of<P>>(mask))));
}
} // namespace __detail

// NAME(p, value, order[, scope]) and NAME_masked(p, value, mask, order[, scope]).
#define TESSERA_ATOMIC(NAME, OP, TARGET)                                                           \
  template <memory_order O, thread_scope S = default_thread_scope(), __detail::TARGET P,           \
            tile_like V>                                                                           \
    requires __detail::value_for<P, V>                                                             \
  TESSERA_API tile_load_t<P> NAME(__prim::arg<P> p, __prim::arg<V> value,                          \
                                  memory_order_constant<O> = {},                                   \
                                  thread_scope_constant<S> = {}) noexcept {                        \
    return __detail::atomic_rmw<__prim::atomic_op::OP, O, S>(p, value, true);                      \
  }                                                                                                \
  template <memory_order O, thread_scope S = default_thread_scope(), __detail::TARGET P,           \
            tile_like V, bool_tile_convertible M>                                                  \
    requires __detail::value_for<P, V> && __detail::mask_for<P, M>                                 \
  TESSERA_API tile_load_t<P> NAME##_masked(__prim::arg<P> p, __prim::arg<V> value,                 \
                                           __prim::arg<M> mask, memory_order_constant<O> = {},     \
                                           thread_scope_constant<S> = {}) noexcept {               \
    return __detail::atomic_rmw<__prim::atomic_op::OP, O, S>(p, value, mask);                      \
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
  requires read_memory_order<O> && __detail::mask_for<P, M>
TESSERA_API tile_load_t<P> atomic_load_masked(__prim::arg<P> p, __prim::arg<M> mask,
                                              memory_order_constant<O> = {},
                                              thread_scope_constant<S> = {}) noexcept {
  using R = tile_load_t<P>;
  using A = __detail::as_tile<P>;
  using B = __detail::mask_of<P>;
  return __detail::wrap<R>(TESSERA_IN_PLACE(__prim::atomic_load<O, S, __detail::as_tile<R>, A, B>(
      __detail::operand<A>(p), __detail::operand<B>(mask))));
}
template <memory_order O, thread_scope S = default_thread_scope(), loadable_tile P>
  requires read_memory_order<O>
TESSERA_API tile_load_t<P> atomic_load(__prim::arg<P> p, memory_order_constant<O> order = {},
                                       thread_scope_constant<S> scope = {}) noexcept {
  return atomic_load_masked(p, true, order, scope);
}

// Writes the elements atomically; of several writes to one address, one wins.
template <memory_order O, thread_scope S = default_thread_scope(), storeable_tile P, tile_like V,
          bool_tile_convertible M>
  requires write_memory_order<O> && __detail::value_for<P, V> && __detail::mask_for<P, M>
TESSERA_API void atomic_store_masked(__prim::arg<P> p, __prim::arg<V> value, __prim::arg<M> mask,
                                     memory_order_constant<O> = {},
                                     thread_scope_constant<S> = {}) noexcept {
  using A = __detail::as_tile<P>;
  using B = __detail::as_tile<tile_load_t<P>>;
  using C = __detail::mask_of<P>;
  __prim::atomic_store<O, S, A, B, C>(__detail::operand<A>(p), __detail::operand<B>(value),
                                      __detail::operand<C>(mask));
}
template <memory_order O, thread_scope S = default_thread_scope(), storeable_tile P, tile_like V>
  requires write_memory_order<O> && __detail::value_for<P, V>
TESSERA_API void atomic_store(__prim::arg<P> p, __prim::arg<V> value,
                              memory_order_constant<O> order = {},
                              thread_scope_constant<S> scope = {}) noexcept {
  atomic_store_masked(p, value, true, order, scope);
}

// Stores desired where memory holds the bits of expected; returns the old elements, and expected
// for masked-off ones.
template <memory_order O, thread_scope S = default_thread_scope(), __detail::exchangeable P,
          tile_like V, tile_like W, bool_tile_convertible M>
  requires __detail::value_for<P, V> && __detail::value_for<P, W> && __detail::mask_for<P, M>
TESSERA_API tile_load_t<P>
atomic_compare_exchange_masked(__prim::arg<P> p, __prim::arg<V> expected, __prim::arg<W> desired,
                               __prim::arg<M> mask, memory_order_constant<O> = {},
                               thread_scope_constant<S> = {}) noexcept {
  using T = tile_load_t<P>;
  using R = __detail::as_tile<T>;
  using A = __detail::as_tile<P>;
  using B = __detail::mask_of<P>;
  return __detail::wrap<T>(TESSERA_IN_PLACE(__prim::atomic_compare_exchange<O, S, R, A, B>(
      __detail::operand<A>(p), __detail::operand<R>(expected), __detail::operand<R>(desired),
      __detail::operand<B>(mask))));
}
template <memory_order O, thread_scope S = default_thread_scope(), __detail::exchangeable P,
          tile_like V, tile_like W>
  requires __detail::value_for<P, V> && __detail::value_for<P, W>
TESSERA_API tile_load_t<P> atomic_compare_exchange(__prim::arg<P> p, __prim::arg<V> expected,
                                                   __prim::arg<W> desired,
                                                   memory_order_constant<O> order = {},
                                                   thread_scope_constant<S> scope = {}) noexcept {
  return atomic_compare_exchange_masked(p, expected, desired, true, order, scope);
}

} // namespace cuda::tiles
