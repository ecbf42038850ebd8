// The host bodies of atomic.cuh: blocks may run on several host threads, so these are real atomics,
// with one order and scope for all.
#pragma once

#include "atomic_word.cuh"

#include <tessera/emulate/atomic.h>
#include <tessera/emulate/engine.h>
#include <tessera/emulate/memory.h>

#include <cmath>
#include <cstring>

namespace tessera::arch {

namespace detail {

template <atomic Op, class T> inline T combine(T a, T b) {
  if constexpr (std::is_same_v<T, half>) {
    return __float2half_rn(combine<Op>(__half2float(a), __half2float(b)));
  } else if constexpr (std::is_same_v<T, bf16>) {
    return __float2bfloat16_rn(combine<Op>(__bfloat162float(a), __bfloat162float(b)));
  } else if constexpr (std::is_floating_point_v<T>) {
    return Op == atomic::add   ? a + b
           : Op == atomic::sub ? a - b
           : Op == atomic::max ? std::fmax(a, b)
           : Op == atomic::min ? std::fmin(a, b)
                               : b;
  } else {
    using U = word<sizeof(T)>;
    const U x = static_cast<U>(a), y = static_cast<U>(b);
    switch (Op) {
    case atomic::add: return static_cast<T>(x + y);
    case atomic::sub: return static_cast<T>(x - y);
    case atomic::bit_and: return static_cast<T>(x & y);
    case atomic::bit_or: return static_cast<T>(x | y);
    case atomic::bit_xor: return static_cast<T>(x ^ y);
    case atomic::max: return a < b ? b : a;
    case atomic::min: return b < a ? b : a;
    case atomic::max_unsigned: return x < y ? b : a;
    case atomic::min_unsigned: return y < x ? b : a;
    case atomic::xchg: return b;
    }
    return b;
  }
}

} // namespace detail

namespace detail {

constexpr emulate::atomic_order atomic_order_of(order o, scope s) {
  return {o == order::acquire || o == order::acq_rel, o == order::release || o == order::acq_rel,
          s == scope::block ? emulate::reach::block : emulate::reach::device};
}

} // namespace detail

// Inlined at every optimisation level, like the accesses of emulate/arch.h.
#define TESSERA_EMULATED [[gnu::always_inline]] inline

template <order O, scope S, class T> TESSERA_EMULATED T atomic_load(const T *p) {
  using W = detail::word<sizeof(T)>;
  emulate::yield(); // a polling load waits for another thread
  emulate::begin_atomic(p);
  const W w = __atomic_load_n(reinterpret_cast<const W *>(p), __ATOMIC_SEQ_CST);
  emulate::end_atomic(p, sizeof(T), emulate::atomic_effect::read, detail::atomic_order_of(O, S));
  return detail::bits_as<T>(w);
}

template <order O, scope S, class T> TESSERA_EMULATED void atomic_store(T *p, T x) {
  using W = detail::word<sizeof(T)>;
  emulate::begin_atomic(p);
  __atomic_store_n(reinterpret_cast<W *>(p), detail::bits_as<W>(x), __ATOMIC_SEQ_CST);
  emulate::end_atomic(p, sizeof(T), emulate::atomic_effect::write, detail::atomic_order_of(O, S));
}

template <order O, scope S, class T>
TESSERA_EMULATED T atomic_compare_exchange(T *p, T expected, T x) {
  using W = detail::word<sizeof(T)>;
  W before = detail::bits_as<W>(expected);
  emulate::begin_atomic(p);
  const bool done =
      __atomic_compare_exchange_n(reinterpret_cast<W *>(p), &before, detail::bits_as<W>(x), false,
                                  __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  // A failed exchange writes nothing, and so releases nothing.
  emulate::end_atomic(p, sizeof(T),
                      done ? emulate::atomic_effect::update : emulate::atomic_effect::read,
                      detail::atomic_order_of(O, S));
  if (!done)
    emulate::yield();
  return detail::bits_as<T>(before);
}

template <atomic Op, order O, scope S, class T> TESSERA_EMULATED T atomic_rmw(T *p, T x) {
  using W = detail::word<sizeof(T)>;
  emulate::yield();
  emulate::begin_atomic(p);
  W before = __atomic_load_n(reinterpret_cast<const W *>(p), __ATOMIC_SEQ_CST);
  // The host may access it at the same time.
  while (!__atomic_compare_exchange_n(
      reinterpret_cast<W *>(p), &before,
      detail::bits_as<W>(detail::combine<Op>(detail::bits_as<T>(before), x)), false,
      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    ;
  emulate::end_atomic(p, sizeof(T), emulate::atomic_effect::update, detail::atomic_order_of(O, S));
  return detail::bits_as<T>(before);
}

// Threads of a block take turns, and do not in here. To whoever looks for races the operation
// reads: it has no order with others, but with plain accesses.
template <atomic Op, class T> TESSERA_EMULATED T atomic_rmw_shared(T *p, T x) {
  emulate::yield();
  T before;
  emulate::read_shared(p, &before, sizeof(T));
  const T after = detail::combine<Op>(before, x);
  std::memcpy(static_cast<void *>(p), &after, sizeof(T));
  return before;
}

#undef TESSERA_EMULATED

} // namespace tessera::arch
