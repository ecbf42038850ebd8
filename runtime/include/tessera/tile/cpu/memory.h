// Tiles of pointers: offsets, loads, stores, atomics. A pointer is an integer in its lane;
// masked-off lanes are not accessed.
//
// Memory is accessed as lanes that may alias anything, since it holds the user's types. A bool in
// memory is true if its byte is not zero.
#pragma once

#include "elementwise.h"

namespace cuda::tiles::__prim {
namespace cpu {

template <class L> struct aliasing {
  typedef L type __attribute__((may_alias));
};

// The type that the pointers of tile type P point to.
template <class P> using pointee =
    ::std::remove_cv_t<::std::remove_pointer_t<typename P::element_type>>;
template <class P> using pointee_lane = typename element<pointee<P>>::lane;

template <class P> typename aliasing<pointee_lane<P>>::type *memory_at(unsigned long long address) {
  return reinterpret_cast<typename aliasing<pointee_lane<P>>::type *>(address);
}

// A lane loaded from memory.
template <class E, class L> L canonical(L lane) {
  if constexpr (::std::is_same_v<E, bool>)
    return lane != 0;
  else
    return lane;
}

template <class E, class L, class N>
void copy_from_memory(L *to, const typename aliasing<L>::type *from, N n) {
  if constexpr (::std::is_same_v<E, bool>)
    for (unsigned long long i = 0; i < n; i++)
      to[i] = from[i] != 0;
  else
    ::std::memcpy(to, from, n * sizeof(L));
}

// Calls access(first, n) for all active lanes, in runs of 16 if they are contiguous in memory and
// all active, else one by one; skipped(i) for the others. The number of lanes is a constant, so
// that a run is a few vector instructions.
template <class P, class Active, class Access, class Skipped>
void for_runs(const lanes<P> &p, Active active, Access access, Skipped skipped) {
  constexpr unsigned long long run = count<P> < 16 ? count<P> : 16;
  for (unsigned long long first = 0; first < count<P>; first += run) {
    unsigned long long apart = 0;
    bool all = true;
    for (unsigned long long i = 0; i < run; i++) {
      apart |= (p.v[first + i] - p.v[first]) ^ (i * sizeof(pointee_lane<P>));
      all &= active(first + i);
    }
    if (all && apart == 0)
      access(first, ::std::integral_constant<unsigned long long, run>());
    else
      for (unsigned long long i = first; i < first + run; i++) {
        if (active(i))
          access(i, ::std::integral_constant<unsigned long long, 1>());
        else
          skipped(i);
      }
  }
}

constexpr int atomic_order(memory_order o) {
  return o == memory_order::relaxed   ? __ATOMIC_RELAXED
         : o == memory_order::acquire ? __ATOMIC_ACQUIRE
         : o == memory_order::release ? __ATOMIC_RELEASE
                                      : __ATOMIC_ACQ_REL;
}
constexpr int atomic_order_of_failure(memory_order o) {
  return o == memory_order::relaxed || o == memory_order::release ? __ATOMIC_RELAXED
                                                                  : __ATOMIC_ACQUIRE;
}

template <atomic_op Op, class V> V updated(V old, V x) {
  if constexpr (Op == atomic_op::xchg)
    return x;
  else if constexpr (Op == atomic_op::add)
    return apply<binary_op::add>(old, x);
  else if constexpr (Op == atomic_op::sub)
    return apply<binary_op::sub>(old, x);
  else if constexpr (Op == atomic_op::bit_and)
    return apply<binary_op::bit_and>(old, x);
  else if constexpr (Op == atomic_op::bit_or)
    return apply<binary_op::bit_or>(old, x);
  else if constexpr (Op == atomic_op::bit_xor)
    return apply<binary_op::bit_xor>(old, x);
  else if constexpr (Op == atomic_op::max)
    return apply<binary_op::max>(old, x);
  else
    return apply<binary_op::min>(old, x);
}

// Replaces *p by desired if it holds the bits of expected; returns the old value.
template <memory_order Order, class L> L exchange_if_equal(L *p, L expected, L desired) {
  __atomic_compare_exchange(p, &expected, &desired, false, atomic_order(Order),
                            atomic_order_of_failure(Order));
  return expected;
}

template <atomic_op Op, memory_order Order, class E, class L> L update(L *p, L x) {
  L old, desired;
  __atomic_load(p, &old, __ATOMIC_RELAXED);
  do
    desired = element<E>::write(updated<Op>(element<E>::read(old), element<E>::read(x)));
  while (!__atomic_compare_exchange(p, &old, &desired, true, atomic_order(Order),
                                    atomic_order_of_failure(Order)));
  return old;
}

} // namespace cpu

namespace cpu {
template <class P, class A, class X, class N> lanes<P> offset(const X &p, const N &n) {
  lanes<P> r;
#pragma omp simd
  for (unsigned long long i = 0; i < count<P>; i++)
    r.v[i] = p.v[i] + static_cast<unsigned long long>(static_cast<long long>(n.v[i])) *
                          sizeof(pointee_lane<P>);
  return r;
}
} // namespace cpu

template <class P, class A> inline lanes<P> offset(lanes_arg<P> p, lanes_arg<A> n) {
  return cpu::offset<P, A>(p, n);
}
template <class P, class A, class X, class N>
  requires(is_uniform<X> || is_uniform<N>)
inline lanes<P> offset(const X &p, const N &n) {
  return cpu::offset<P, A>(p, n);
}

template <class R, class P> inline lanes<R> difference(lanes_arg<P> p, lanes_arg<P> q) {
  lanes<R> r;
#pragma omp simd
  for (unsigned long long i = 0; i < cpu::count<P>; i++)
    r.v[i] = static_cast<long long>(p.v[i] - q.v[i]) /
             static_cast<long long>(sizeof(cpu::pointee_lane<P>));
  return r;
}

template <class P, class M> inline lanes<P> inside(lanes_arg<P> p, lanes_arg<M> m) {
  cpu::check_inside<P, M>(m);
  return p;
}

template <class R, class P> inline lanes<R> load(lanes_arg<P> p) {
  lanes<R> r;
  cpu::for_runs<P>(
      p, [](auto) { return true; },
      [&](auto i, auto n) {
        cpu::copy_from_memory<cpu::pointee<P>>(r.v + i, cpu::memory_at<P>(p.v[i]), n);
      },
      [](auto) {});
  return r;
}

template <class R, class P, class M>
inline lanes<R> load_masked(lanes_arg<P> p, lanes_arg<M> m, lanes_arg<R> pad) {
  lanes<R> r;
  cpu::for_runs<P>(
      p, [&](auto i) { return m.v[i] != 0; },
      [&](auto i, auto n) {
        cpu::copy_from_memory<cpu::pointee<P>>(r.v + i, cpu::memory_at<P>(p.v[i]), n);
      },
      [&](auto i) { r.v[i] = pad.v[i]; });
  return r;
}

template <class P, class A> inline void store(lanes_arg<P> p, lanes_arg<A> x) {
  cpu::for_runs<P>(
      p, [](auto) { return true; },
      [&](auto i, auto n) {
        ::std::memcpy(cpu::memory_at<P>(p.v[i]), x.v + i, n * sizeof(lane_t<A>));
      },
      [](auto) {});
}

template <class P, class A, class M>
inline void store_masked(lanes_arg<P> p, lanes_arg<A> x, lanes_arg<M> m) {
  cpu::for_runs<P>(
      p, [&](auto i) { return m.v[i] != 0; },
      [&](auto i, auto n) {
        ::std::memcpy(cpu::memory_at<P>(p.v[i]), x.v + i, n * sizeof(lane_t<A>));
      },
      [](auto) {});
}

template <memory_order Order, thread_scope Scope, class R, class P, class M>
inline lanes<R> atomic_load(lanes_arg<P> p, lanes_arg<M> m) {
  lanes<R> r{};
  for (unsigned long long i = 0; i < cpu::count<R>; i++) {
    if (!m.v[i])
      continue;
    cpu::pointee_lane<P> x;
    __atomic_load(cpu::memory_at<P>(p.v[i]), &x, cpu::atomic_order(Order));
    r.v[i] = cpu::canonical<cpu::pointee<P>>(x);
  }
  return r;
}

template <memory_order Order, thread_scope Scope, class P, class A, class M>
inline void atomic_store(lanes_arg<P> p, lanes_arg<A> x, lanes_arg<M> m) {
  for (unsigned long long i = 0; i < cpu::count<A>; i++) {
    cpu::pointee_lane<P> lane = x.v[i];
    if (m.v[i])
      __atomic_store(cpu::memory_at<P>(p.v[i]), &lane, cpu::atomic_order(Order));
  }
}

template <atomic_op Op, memory_order Order, thread_scope Scope, class R, class P, class M>
inline lanes<R> atomic_rmw(lanes_arg<P> p, lanes_arg<R> x, lanes_arg<M> m) {
  lanes<R> r{};
  for (unsigned long long i = 0; i < cpu::count<R>; i++)
    if (m.v[i])
      r.v[i] = cpu::update<Op, Order, cpu::pointee<P>>(cpu::memory_at<P>(p.v[i]), x.v[i]);
  return r;
}

template <memory_order Order, thread_scope Scope, class R, class P, class M>
inline lanes<R> atomic_compare_exchange(lanes_arg<P> p, lanes_arg<R> expected, lanes_arg<R> desired,
                                        lanes_arg<M> m) {
  lanes<R> r = expected;
  for (unsigned long long i = 0; i < cpu::count<R>; i++)
    if (m.v[i])
      r.v[i] =
          cpu::exchange_if_equal<Order>(cpu::memory_at<P>(p.v[i]), expected.v[i], desired.v[i]);
  return r;
}

} // namespace cuda::tiles::__prim
