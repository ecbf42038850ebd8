// Atomic operations on fragments of pointers and on scalars. The thread that owns an element
// performs its operation; registers of the result in other threads are undefined.
#pragma once

#include "shared_memory.cuh"

namespace tessera {

// Returns the old values where the mask is set.
template <atomic Op, order Order, scope Scope, class T, class L> TESSERA_DEVICE fragment<T, L>
atomic_rmw(const fragment<T *, L> &p, const fragment<T, L> &x, const fragment<bool, L> &mask) {
  fragment<T, L> before{};
  const bool owner = L::is_owner();
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    if (owner && mask.r[i])
      before.r[i] = arch::atomic_rmw<Op, Order, Scope>(p.r[i], x.r[i]);
  return before;
}

template <order Order, scope Scope, class T, class L> TESSERA_DEVICE fragment<T, L>
atomic_compare_exchange(const fragment<T *, L> &p, const fragment<T, L> &expected,
                        const fragment<T, L> &x, const fragment<bool, L> &mask) {
  fragment<T, L> before{};
  const bool owner = L::is_owner();
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    if (owner && mask.r[i])
      before.r[i] = arch::atomic_compare_exchange<Order, Scope>(p.r[i], expected.r[i], x.r[i]);
  return before;
}

template <order Order, scope Scope, class T, class L> TESSERA_DEVICE fragment<T, L>
atomic_load(const fragment<T *, L> &p, const fragment<bool, L> &mask, T pad = {}) {
  auto x = splat<L>(pad);
  const bool owner = L::is_owner();
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    if (owner && mask.r[i])
      x.r[i] = arch::atomic_load<Order, Scope>(p.r[i]);
  return x;
}

template <order Order, scope Scope, class T, class L> TESSERA_DEVICE void
atomic_store(const fragment<T *, L> &p, const fragment<T, L> &x, const fragment<bool, L> &mask) {
  const bool owner = L::is_owner();
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    if (owner && mask.r[i])
      arch::atomic_store<Order, Scope>(p.r[i], x.r[i]);
}

// Without a mask: every element.
template <atomic Op, order Order, scope Scope, class T, class L>
TESSERA_DEVICE fragment<T, L> atomic_rmw(const fragment<T *, L> &p, const fragment<T, L> &x) {
  return atomic_rmw<Op, Order, Scope>(p, x, splat<L>(true));
}

template <order Order, scope Scope, class T, class L>
TESSERA_DEVICE fragment<T, L> atomic_compare_exchange(const fragment<T *, L> &p,
                                                      const fragment<T, L> &expected,
                                                      const fragment<T, L> &x) {
  return atomic_compare_exchange<Order, Scope>(p, expected, x, splat<L>(true));
}

template <order Order, scope Scope, class T, class L>
TESSERA_DEVICE fragment<T, L> atomic_load(const fragment<T *, L> &p) {
  return atomic_load<Order, Scope>(p, splat<L>(true));
}

template <order Order, scope Scope, class T, class L>
TESSERA_DEVICE void atomic_store(const fragment<T *, L> &p, const fragment<T, L> &x) {
  atomic_store<Order, Scope>(p, x, splat<L>(true));
}

// Scalars: the first thread performs the operation, and only it has the result.
template <atomic Op, order Order, scope Scope, class T>
TESSERA_DEVICE T atomic_rmw(T *p, std::common_type_t<T> x, bool mask = true) {
  T before{};
  if (arch::thread_index() == 0 && mask)
    before = arch::atomic_rmw<Op, Order, Scope>(p, x);
  return before;
}

template <order Order, scope Scope, class T>
TESSERA_DEVICE T atomic_compare_exchange(T *p, std::common_type_t<T> expected,
                                         std::common_type_t<T> x, bool mask = true) {
  T before{};
  if (arch::thread_index() == 0 && mask)
    before = arch::atomic_compare_exchange<Order, Scope>(p, expected, x);
  return before;
}

template <order Order, scope Scope, class T> TESSERA_DEVICE T atomic_load(T *p) {
  T x{};
  if (arch::thread_index() == 0)
    x = arch::atomic_load<Order, Scope>(p);
  return x;
}

template <order Order, scope Scope, class T>
TESSERA_DEVICE void atomic_store(T *p, std::common_type_t<T> x) {
  if (arch::thread_index() == 0)
    arch::atomic_store<Order, Scope>(p, x);
}

} // namespace tessera
