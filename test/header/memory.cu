// RUN: %clang_tile -fsyntax-only %s
// Loads, stores and atomics through pointer tiles: values do not narrow and do not broadcast, masks
// and pads broadcast.
#include "same.h"

using I = tile<int, 8>;
using P = tile<int *, 8>;
using Q = tile<const float *, 8>;

__tile__ void results() {
  static_assert(same<decltype(ct::load(a<Q>())), tile<float, 8>> &&
                same<decltype(ct::load(a<const __half *>())), __half>);
  static_assert(same<decltype(ct::load_masked(a<Q>(), true, 0.0f)), tile<float, 8>> &&
                same<decltype(ct::load_masked(a<P>(), a<P>())), I>);
  static_assert(
      same<decltype(ct::atomic_add(a<P>(), a<tile<short, 8>>(), ct::memory_order_relaxed_t{})), I>);
  static_assert(same<decltype(ct::atomic_add<ct::memory_order::relaxed>(a<int *>(), 1)), int>);
  static_assert(
      same<decltype(ct::atomic_compare_exchange(
               a<float *>(), 1.0f, 2.0f, ct::memory_order_acq_rel_t{}, ct::thread_scope_block_t{})),
           float>);
}

template <class T, class V>
concept stores = requires(T p, V v) { ct::store(p, v); };
static_assert(stores<P, I> && stores<P, tile<short, 8>> && stores<int *, int> &&
              stores<int *, tile<int>> && stores<tile<int *>, int>);
static_assert(!stores<P, int> && !stores<P, tile<unsigned, 8>> && !stores<float *, int> &&
              !stores<float *, double> && !stores<int *, tile<int, 1>>);
static_assert(!stores<Q, tile<float, 8>> && !ct::loadable_tile<volatile int *> &&
              !ct::loadable_tile<void *> && !ct::storeable_tile<const int *>);

template <class T, class V, class... M>
concept adds = requires(T p, V v, M... m) { ct::atomic_add(p, v, m...); };
using relaxed = ct::memory_order_relaxed_t;
using device = ct::thread_scope_device_t;
static_assert(adds<P, I, relaxed, device> && adds<tile<__half *, 8>, tile<__half, 8>, relaxed> &&
              !adds<P, I> && !adds<P, I, device, relaxed>);
static_assert(!adds<short *, short, relaxed> && !adds<P, tile<long, 8>, relaxed> &&
              !adds<float *, int, relaxed> && !adds<const int *, int, relaxed>);

template <class T, class O>
concept stores_atomically = requires(T p, O o) { ct::atomic_store(p, *p, o); };
static_assert(stores_atomically<bool *, ct::memory_order_release_t> &&
              !stores_atomically<int *, ct::memory_order_acquire_t>);
template <class T>
concept exchanges = requires(T p) { ct::atomic_xchg(p, ct::load(p), relaxed{}); };
static_assert(exchanges<float *> && exchanges<wchar_t *> && !exchanges<tile<__half *, 8>>);

template <auto N, class T>
concept aligns = requires(T p) { ct::assume_aligned<N>(p); };
template <auto L, auto H, class T>
concept bounds = requires(T x) { ct::assume_bounded<L, H>(x); };
static_assert(aligns<16, int *> && aligns<16, P> && aligns<16, void *> && !aligns<12, int *> &&
              !aligns<16, int **>);
static_assert(bounds<0, 100, int> && !bounds<100, 0, int> && !bounds<-1, 1, unsigned> &&
              !bounds<0, 300, signed char>);
