// The CUDA built-in device functions that hand-written SIMT kernels use most: barriers, votes,
// shuffles, atomics, bits. Threads may return early before these, as CUDA allows.
#pragma once

#include <tessera/emulate/atomic.h>
#include <tessera/emulate/engine.h>
#include <tessera/emulate/warp.h>

#include <bit>
#include <cmath>
#include <cstdlib>

inline void __syncthreads() {
  tessera::emulate::block_barrier("__syncthreads",
                                  tessera::emulate::attendance::unfinished_threads);
}
inline void __syncwarp(unsigned mask = ~0u) {
  tessera::emulate::warp_barrier("__syncwarp", tessera::emulate::unfinished(mask));
}
inline void __threadfence_block() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  tessera::emulate::fence(tessera::emulate::reach::block);
}
inline void __threadfence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  tessera::emulate::fence(tessera::emulate::reach::device);
}
inline void __threadfence_system() { __threadfence(); }
[[noreturn]] inline void __trap() { tessera::emulate::trap("trap"); }
inline void __nanosleep(unsigned) { tessera::emulate::yield(); }

// Votes and shuffles

inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return tessera::emulate::vote("__ballot_sync", tessera::emulate::unfinished(mask),
                                predicate != 0);
}
inline int __any_sync(unsigned mask, int predicate) {
  return tessera::emulate::vote("__any_sync", tessera::emulate::unfinished(mask), predicate != 0) !=
         0;
}
inline int __all_sync(unsigned mask, int predicate) {
  return tessera::emulate::vote("__all_sync", tessera::emulate::unfinished(mask), predicate == 0) ==
         0;
}

template <class T> T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  unsigned first = tessera::emulate::current->lane() & ~unsigned(width - 1);
  return tessera::emulate::exchange("__shfl_sync", tessera::emulate::unfinished(mask), value,
                                    first + (unsigned(source) & unsigned(width - 1)));
}

template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  unsigned lane = tessera::emulate::current->lane();
  bool is_inside = (lane & unsigned(width - 1)) >= delta;
  return tessera::emulate::exchange("__shfl_up_sync", tessera::emulate::unfinished(mask), value,
                                    is_inside ? lane - delta : lane);
}

template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  unsigned lane = tessera::emulate::current->lane();
  bool is_inside = (lane & unsigned(width - 1)) + delta < unsigned(width);
  return tessera::emulate::exchange("__shfl_down_sync", tessera::emulate::unfinished(mask), value,
                                    is_inside ? lane + delta : lane);
}

template <class T> T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32) {
  unsigned lane = tessera::emulate::current->lane(), source = lane ^ unsigned(lanes);
  // Later segments of `width` lanes are not read, earlier ones are.
  bool is_inside = source / unsigned(width) <= lane / unsigned(width);
  return tessera::emulate::exchange("__shfl_xor_sync", tessera::emulate::unfinished(mask), value,
                                    is_inside ? source : lane);
}

template <class T> T __reduce_add_sync(unsigned mask, T value) {
  return tessera::emulate::combine("__reduce_add_sync", tessera::emulate::unfinished(mask), value,
                                   [](T a, T b) { return T(a + b); });
}
template <class T> T __reduce_min_sync(unsigned mask, T value) {
  return tessera::emulate::combine("__reduce_min_sync", tessera::emulate::unfinished(mask), value,
                                   [](T a, T b) { return b < a ? b : a; });
}
template <class T> T __reduce_max_sync(unsigned mask, T value) {
  return tessera::emulate::combine("__reduce_max_sync", tessera::emulate::unfinished(mask), value,
                                   [](T a, T b) { return a < b ? b : a; });
}

// Atomics. Those that locks are made of yield to other threads, since a spinning fiber would keep
// them from unlocking.

namespace tessera::emulate {

template <class T> struct same {
  using type = T;
};
template <class T> using same_t = typename same<T>::type; // deduced from the address only

template <class T, class Update> T update(T *address, Update update_value) {
  T old, wanted;
  begin_atomic(address);
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  do
    wanted = update_value(old);
  while (!__atomic_compare_exchange(address, &old, &wanted, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_RELAXED));
  end_unseen_atomic(address, atomic_effect::update, {});
  return old;
}

} // namespace tessera::emulate

template <class T> T atomicAdd(T *address, tessera::emulate::same_t<T> value) {
  return tessera::emulate::update(address, [=](T old) { return T(old + value); });
}
template <class T> T atomicSub(T *address, tessera::emulate::same_t<T> value) {
  return tessera::emulate::update(address, [=](T old) { return T(old - value); });
}
template <class T> T atomicMin(T *address, tessera::emulate::same_t<T> value) {
  return tessera::emulate::update(address, [=](T old) { return value < old ? value : old; });
}
template <class T> T atomicMax(T *address, tessera::emulate::same_t<T> value) {
  return tessera::emulate::update(address, [=](T old) { return old < value ? value : old; });
}
template <class T> T atomicAnd(T *address, tessera::emulate::same_t<T> value) {
  return tessera::emulate::update(address, [=](T old) { return T(old & value); });
}
template <class T> T atomicOr(T *address, tessera::emulate::same_t<T> value) {
  return tessera::emulate::update(address, [=](T old) { return T(old | value); });
}
template <class T> T atomicXor(T *address, tessera::emulate::same_t<T> value) {
  return tessera::emulate::update(address, [=](T old) { return T(old ^ value); });
}
inline unsigned atomicInc(unsigned *address, unsigned limit) {
  return tessera::emulate::update(address,
                                  [=](unsigned old) { return old >= limit ? 0 : old + 1; });
}
inline unsigned atomicDec(unsigned *address, unsigned limit) {
  return tessera::emulate::update(
      address, [=](unsigned old) { return old == 0 || old > limit ? limit : old - 1; });
}
template <class T> T atomicExch(T *address, tessera::emulate::same_t<T> value) {
  tessera::emulate::yield();
  return tessera::emulate::update(address, [=](T) { return value; });
}
template <class T>
T atomicCAS(T *address, tessera::emulate::same_t<T> expected, tessera::emulate::same_t<T> value) {
  tessera::emulate::yield();
  tessera::emulate::begin_atomic(address);
  bool done = __atomic_compare_exchange(address, &expected, &value, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST);
  tessera::emulate::end_unseen_atomic(
      address,
      done ? tessera::emulate::atomic_effect::update : tessera::emulate::atomic_effect::read, {});
  return expected;
}

// Bits and numbers

template <class T> T __ldg(const T *address) { return *address; }
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(unsigned(x)); }
inline int __clzll(long long x) { return std::countl_zero((unsigned long long)x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline unsigned __umulhi(unsigned a, unsigned b) {
  return unsigned((unsigned long long)a * b >> 32);
}
inline int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
inline float __expf(float x) { return std::exp(x); }
inline float __logf(float x) { return std::log(x); }
inline float __fdividef(float a, float b) { return a / b; }
inline float __saturatef(float x) { return x > 0 ? x < 1 ? x : 1 : 0; }
inline float fdividef(float a, float b) { return a / b; }

inline int min(int a, int b) { return b < a ? b : a; }
inline int max(int a, int b) { return a < b ? b : a; }
inline unsigned min(unsigned a, unsigned b) { return b < a ? b : a; }
inline unsigned max(unsigned a, unsigned b) { return a < b ? b : a; }
inline long long min(long long a, long long b) { return b < a ? b : a; }
inline long long max(long long a, long long b) { return a < b ? b : a; }
inline unsigned long long min(unsigned long long a, unsigned long long b) { return b < a ? b : a; }
inline unsigned long long max(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
inline float min(float a, float b) { return std::fmin(a, b); }
inline float max(float a, float b) { return std::fmax(a, b); }
inline double min(double a, double b) { return std::fmin(a, b); }
inline double max(double a, double b) { return std::fmax(a, b); }
