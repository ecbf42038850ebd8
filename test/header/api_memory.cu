// Every form of loads, stores and atomics through pointer tiles. [tile:memory_operations]
// RUN: %clang_tile -fsyntax-only %s
#include "same.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class E> using p4 = tile<E *, 4>;
template <class E> using v4 = tile<E, 4>;
using M4 = tile<bool, 4>;
using Relaxed = ct::memory_order_relaxed_t;
using Acquire = ct::memory_order_acquire_t;
using Release = ct::memory_order_release_t;
using Both = ct::memory_order_acq_rel_t;
using Block = ct::thread_scope_block_t;
using Device = ct::thread_scope_device_t;
using System = ct::thread_scope_system_t;
constexpr auto relaxed = ct::memory_order::relaxed;

#define FORM(NAME)                                                                                 \
  template <class... A>                                                                            \
  concept can_##NAME = requires(A... a) { ct::NAME(a...); };
FORM(load)
FORM(load_masked)
FORM(store)
FORM(store_masked)
static_assert(can_load<p4<int>> && can_load<int *> && can_load<p4<const float>>);
static_assert(!can_load<p4<void>> && !can_load<volatile int *> && !can_load<p4<int>, Relaxed>);
static_assert(can_load_masked<p4<int>, M4> && can_load_masked<p4<int>, bool>);
static_assert(can_load_masked<p4<int>, v4<float>> && can_load_masked<p4<int>, p4<int>>);
static_assert(can_load_masked<p4<int>, tile<bool, 1>> &&
              !can_load_masked<p4<int>, tile<bool, 2, 4>>);
static_assert(can_load_masked<p4<int>, M4, int> && can_load_masked<p4<int>, M4, v4<short>>);
static_assert(can_load_masked<p4<float>, M4, tile<float, 1>> &&
              !can_load_masked<p4<float>, M4, int>);
static_assert(!can_load_masked<p4<float>, M4, double> && can_load_masked<int *, bool, int>);
static_assert(can_store<p4<int>, v4<int>> && can_store<p4<int>, v4<short>> &&
              can_store<int *, int>);
static_assert(!can_store<p4<int>, int> && !can_store<p4<const int>, v4<int>>);
static_assert(!can_store<p4<float>, v4<int>> && !can_store<float *, double> &&
              !can_store<float *, int>);
static_assert(can_store<int *, tile<int>> && !can_store<int *, tile<int, 1>>);
static_assert(can_store_masked<p4<int>, v4<int>, M4> && can_store_masked<int *, int, bool>);
static_assert(!can_store_masked<p4<int>, v4<int>> &&
              !can_store_masked<p4<int>, v4<int>, tile<bool, 2, 4>>);

FORM(atomic_load)
FORM(atomic_load_masked)
static_assert(can_atomic_load<p4<int>, Relaxed> && can_atomic_load<const bool *, Acquire, Block>);
static_assert(can_atomic_load<p4<__half>, Acquire, System> && can_atomic_load<char *, Relaxed>);
static_assert(!can_atomic_load<p4<int>> && !can_atomic_load<p4<int>, Release>);
static_assert(!can_atomic_load<p4<int>, Both> && !can_atomic_load<p4<int>, Device>);
static_assert(can_atomic_load_masked<p4<int>, M4, Relaxed, Device>);
static_assert(!can_atomic_load_masked<p4<int>, M4>);
FORM(atomic_store)
FORM(atomic_store_masked)
static_assert(can_atomic_store<p4<int>, v4<int>, Relaxed> &&
              can_atomic_store<char *, char, Release, Block>);
static_assert(can_atomic_store<p4<double>, v4<float>, Relaxed> &&
              !can_atomic_store<p4<int>, v4<int>>);
static_assert(!can_atomic_store<p4<int>, v4<int>, Acquire> &&
              !can_atomic_store<p4<int>, int, Relaxed>);
static_assert(!can_atomic_store<const int *, int, Relaxed>);
static_assert(can_atomic_store_masked<p4<int>, v4<int>, M4, Release, Device>);

#define CHANGE(NAME)                                                                               \
  FORM(NAME)                                                                                       \
  FORM(NAME##_masked)                                                                              \
  static_assert(can_##NAME<p4<int>, v4<int>, Relaxed> && can_##NAME<unsigned *, unsigned, Both>);  \
  static_assert(can_##NAME<p4<long long>, v4<int>, Acquire, Block>);                               \
  static_assert(can_##NAME<p4<int>, v4<int>, Release, Device> &&                                   \
                can_##NAME<wchar_t *, int, Both>);                                                 \
  static_assert(!can_##NAME<p4<int>, v4<int>> && !can_##NAME<p4<int>, int, Relaxed>);              \
  static_assert(!can_##NAME<short *, short, Relaxed> && !can_##NAME<bool *, bool, Relaxed>);       \
  static_assert(!can_##NAME<const int *, int, Relaxed> && !can_##NAME<int *, long long, Relaxed>); \
  static_assert(can_##NAME##_masked<p4<int>, v4<int>, M4, Relaxed>);                               \
  static_assert(can_##NAME##_masked<p4<int>, v4<int>, bool, Both, System>);                        \
  static_assert(!can_##NAME##_masked<p4<int>, v4<int>, M4>);                                       \
  __tile__ void NAME##_forms(p4<int> p, v4<int> x) {                                               \
    static_assert(same<decltype(ct::NAME(p, x, Relaxed())), v4<int>>);                             \
    ct::NAME<relaxed>(p, x);                                                                       \
    ct::NAME<relaxed, ct::thread_scope::device>(p, x);                                             \
    ct::NAME##_masked<relaxed>(p, x, x > 0);                                                       \
  }
CHANGE(atomic_add)
CHANGE(atomic_sub)
CHANGE(atomic_and)
CHANGE(atomic_or)
CHANGE(atomic_xor)
CHANGE(atomic_max)
CHANGE(atomic_min)
CHANGE(atomic_xchg)
static_assert(can_atomic_add<p4<float>, v4<float>, Relaxed> &&
              can_atomic_add<double *, double, Both>);
static_assert(can_atomic_add<p4<__half>, v4<__half>, Relaxed>);
static_assert(can_atomic_sub<p4<__nv_bfloat16>, v4<__nv_bfloat16>, Relaxed>);
static_assert(!can_atomic_max<p4<float>, v4<float>, Relaxed> &&
              !can_atomic_and<float *, float, Relaxed>);
static_assert(can_atomic_xchg<float *, float, Relaxed> &&
              can_atomic_xchg<double *, double, Relaxed>);
static_assert(!can_atomic_xchg<__half *, __half, Relaxed>);

FORM(atomic_compare_exchange)
FORM(atomic_compare_exchange_masked)
static_assert(can_atomic_compare_exchange<p4<int>, v4<int>, v4<int>, Both>);
static_assert(can_atomic_compare_exchange<float *, float, float, Relaxed, Device>);
static_assert(can_atomic_compare_exchange<double *, float, double, Release>);
static_assert(!can_atomic_compare_exchange<__half *, __half, __half, Relaxed>);
static_assert(!can_atomic_compare_exchange<p4<int>, v4<int>, v4<int>>);
static_assert(!can_atomic_compare_exchange<p4<int>, int, int, Relaxed>);
static_assert(can_atomic_compare_exchange_masked<p4<int>, v4<int>, v4<int>, M4, Both, Device>);

__tile_global__ void k(int *p, const float *q) {
  static_assert(same<decltype(ct::load(p)), int> && same<decltype(ct::load(q)), float>);
  static_assert(same<decltype(ct::load(q + v4<int>())), v4<float>>);
  static_assert(same<decltype(ct::load_masked(q + v4<int>(), true, 1.f)), v4<float>>);
  static_assert(same<decltype(ct::store(p, 1)), void>);
  static_assert(same<decltype(ct::atomic_load<relaxed>(p)), int>);
  ct::atomic_store<ct::memory_order::release, ct::thread_scope::block>(p, 1);
  static_assert(same<decltype(ct::atomic_compare_exchange(p, 1, 2, Relaxed())), int>);
}
int main() {}
