// Every form of views, ranges and assumptions. [tile:partition_view] [tile:strided_view]
// [tile:gather_scatter_view] [tile:integer_range] [tile:assumptions]
// RUN: %clang_tile -fsyntax-only %s
#include "same.h"
#include <cuda_fp16.h>

using Relaxed = ct::memory_order_relaxed_t;
using Acquire = ct::memory_order_acquire_t;
using Release = ct::memory_order_release_t;
using Block = ct::thread_scope_block_t;
using Device = ct::thread_scope_device_t;
using System = ct::thread_scope_system_t;
template <class T> T make();

template <class E> using Span = ct::tensor_span<E, ct::extents<int, ct::dynamic_extent, 64>>;
template <class E> using View = ct::partition_view<Span<E>, ct::shape<4, 8>>;
template <class E> using Strided =
    ct::strided_view<Span<E>, ct::shape<4, 8>, ct::strides<int, 3, 5>>;
template <class E> using Gather =
    decltype(ct::gather_scatter_view{make<Span<E>>(), ct::shape<4, 8>{}, 0_ic});
using V = View<float>;
using C = View<const float>;
using N = View<int>;
static_assert(same<V::span_type, Span<float>> && same<V::view_shape_type, ct::shape<4, 8>>);
static_assert(same<V::view_tile_type, tile<float, 4, 8>> &&
              same<C::view_tile_type, tile<float, 4, 8>>);
static_assert(same<V::index_type, int> && same<V::rank_type, size_t>);
static_assert(same<decltype(ct::partition_view{make<Span<float>>(), ct::shape<4, 8>{}}), V>);
static_assert(same<decltype(ct::partition_view{make<Span<float>>(), ct::shape{4_ic, 8_ic}}), V>);
static_assert(same<decltype(ct::strided_view{make<Span<float>>(), ct::shape{4_ic, 8_ic},
                                             ct::strides<int, 3, 5>{}}),
                   Strided<float>>);
template <class S, class T>
concept can_partition = requires(S s, T t) { ct::partition_view{s, t}; };
static_assert(!can_partition<Span<float>, ct::shape<4>> &&
              !can_partition<Span<float>, ct::shape<3, 8>>);
template <class S>
concept can_stride = requires(Span<float> s, S x) { ct::strided_view{s, ct::shape<4, 8>{}, x}; };
static_assert(can_stride<ct::strides<int, 3, 5>> && !can_stride<ct::shape<3, 5>>);
static_assert(!can_stride<ct::strides<int, 3, ct::dynamic_stride>> &&
              !can_stride<ct::strides<int, 3>>);
static_assert(!can_stride<ct::strides<unsigned, 3, 5>>); // another index type than the span

#define MEMBER(NAME)                                                                               \
  template <class W, class... A>                                                                   \
  concept can_##NAME = requires(W w, A... a) { w.NAME(a...); };
MEMBER(load)
MEMBER(load_masked)
MEMBER(store)
MEMBER(store_masked)
MEMBER(atomic_load)
MEMBER(atomic_store)
MEMBER(atomic_add)
MEMBER(atomic_sub)
MEMBER(atomic_and)
MEMBER(atomic_or)
MEMBER(atomic_xor)
MEMBER(atomic_max)
MEMBER(atomic_min)
MEMBER(atomic_xchg)
MEMBER(atomic_add_masked)
MEMBER(span)
MEMBER(shape)
template <class E> using t48 = tile<E, 4, 8>;

template <class W, class CW, class NW> constexpr bool accesses() {
  static_assert(can_load<W, int, int> && can_load<CW, unsigned, long long> &&
                can_load<W, float, bool>);
  static_assert(!can_load<W, int> && !can_load<W, int, int, int> &&
                !can_load<W, ct::integral_constant<0>, int>);
  static_assert(!can_load<W, tile<int>, int>);
  static_assert(can_load_masked<W, int, int>);
  static_assert(can_load_masked<W, ct::view_padding_negative_inf_t, int, int>);
  static_assert(can_load_masked<W, ct::view_padding_nan_t, int, int>);
  static_assert(can_load_masked<NW, ct::view_padding_zero_t, int, int>);
  static_assert(!can_load_masked<NW, ct::view_padding_nan_t, int, int>);
  static_assert(!can_load_masked<NW, ct::view_padding_positive_inf_t, int, int>);
  static_assert(can_store<W, t48<float>, int, int> && !can_store<CW, t48<float>, int, int>);
  static_assert(can_store<W, t48<__half>, int, int> && !can_store<W, t48<int>, int, int>);
  static_assert(!can_store<W, tile<float, 8, 4>, int, int> && !can_store<W, float, int, int>);
  static_assert(can_store_masked<W, t48<float>, int, int> &&
                !can_store_masked<W, t48<double>, int, int>);
  static_assert(can_span<W> && !can_shape<W>);
  return true;
}
static_assert(accesses<V, C, N>() &&
              accesses<Strided<float>, Strided<const float>, Strided<int>>());

template <class W, class CW, class NW> constexpr bool changes() {
  static_assert(can_atomic_load<W, Relaxed, int, int> &&
                can_atomic_load<CW, Acquire, Block, int, int>);
  static_assert(!can_atomic_load<W, int, int> && !can_atomic_load<W, Release, int, int>);
  static_assert(can_atomic_store<W, t48<float>, Release, int, int>);
  static_assert(can_atomic_store<W, t48<float>, Relaxed, System, int, int>);
  static_assert(!can_atomic_store<CW, t48<float>, Relaxed, int, int>);
  static_assert(can_atomic_add<W, t48<float>, Relaxed, Device, int, int>);
  static_assert(can_atomic_add<NW, t48<int>, Relaxed, Block, int, int>);
  static_assert(!can_atomic_add<NW, t48<int>, Relaxed, int, int>);
  static_assert(!can_atomic_add<NW, t48<int>, Relaxed, System, int, int>);
  static_assert(!can_atomic_add<NW, t48<int>, Acquire, Device, int, int>);
  static_assert(can_atomic_sub<NW, t48<short>, Relaxed, Device, int, int>);
  static_assert(can_atomic_and<NW, t48<int>, Relaxed, Device, int, int>);
  static_assert(can_atomic_or<NW, t48<int>, Relaxed, Device, int, int>);
  static_assert(can_atomic_xor<NW, t48<int>, Relaxed, Device, int, int>);
  static_assert(can_atomic_max<NW, t48<int>, Relaxed, Device, int, int>);
  static_assert(can_atomic_min<NW, t48<int>, Relaxed, Device, int, int>);
  static_assert(!can_atomic_max<W, t48<float>, Relaxed, Device, int, int>);
  static_assert(!can_atomic_xchg<NW, t48<int>, Relaxed, Device, int, int>);
  return true;
}
static_assert(changes<V, C, N>() && changes<Strided<float>, Strided<const float>, Strided<int>>());

// Atomic loads and stores in all of their forms, of every view.
MEMBER(atomic_load_masked)
MEMBER(atomic_store_masked)
constexpr auto relaxed = ct::memory_order::relaxed;
constexpr auto device = ct::thread_scope::device;
template <auto O, class W, class... A>
concept can_load_as = requires(W w, A... a) { w.template atomic_load<O>(a...); };
template <auto O, class W, class... A>
concept can_store_as = requires(W w, A... a) {
  w.template atomic_store<O, device>(a...);
  w.template atomic_store_masked<O>(a...);
};
template <auto P, class W, class... A>
concept can_load_padded = requires(W w, A... a) {
  w.template atomic_load_masked<P, relaxed>(a...);
  w.template atomic_load_masked<P, relaxed, device>(a...);
};
template <class W, class NW, class I> constexpr bool atomics() {
  using Zero = ct::view_padding_zero_t;
  static_assert(can_atomic_load<W, Relaxed, I, int> && can_load_as<relaxed, W, I, int>);
  static_assert(can_load_as<relaxed, W, Relaxed, I, int> &&
                can_atomic_load<W, Acquire, Device, I, int>);
  static_assert(can_atomic_load_masked<W, Zero, Relaxed, I, int>);
  static_assert(can_atomic_load_masked<W, ct::view_padding_negative_inf_t, Relaxed, Block, I, int>);
  static_assert(!can_atomic_load_masked<W, Relaxed, I, int> &&
                !can_atomic_load_masked<W, Relaxed, Zero, I, int>);
  static_assert(!can_atomic_load_masked<NW, ct::view_padding_nan_t, Relaxed, I, int>);
  static_assert(can_load_padded<ct::view_padding::zero, W, I, int>);
  static_assert(can_atomic_store<W, t48<float>, Relaxed, I, int> &&
                can_store_as<relaxed, W, t48<float>, I, int>);
  static_assert(can_atomic_store_masked<W, t48<float>, Relaxed, I, int>);
  static_assert(can_atomic_store_masked<W, t48<float>, Release, System, I, int>);
  static_assert(!can_atomic_store_masked<W, t48<float>, Acquire, I, int>);
  return true;
}
static_assert(atomics<V, N, int>() && atomics<Strided<float>, Strided<int>, int>());
static_assert(atomics<Gather<float>, Gather<int>, tile<int, 4>>());
MEMBER(atomic_sub_masked)
MEMBER(atomic_and_masked)
MEMBER(atomic_or_masked)
MEMBER(atomic_xor_masked)
MEMBER(atomic_max_masked)
MEMBER(atomic_min_masked)
template <class W> constexpr bool reduces_masked() {
  using Tile = t48<int>;
  return can_atomic_add_masked<W, Tile, Relaxed, Device, int, int> &&
         can_atomic_sub_masked<W, Tile, Relaxed, Block, int, int> &&
         can_atomic_and_masked<W, Tile, Relaxed, Device, int, int> &&
         can_atomic_or_masked<W, Tile, Relaxed, Block, int, int> &&
         can_atomic_xor_masked<W, Tile, Relaxed, Device, int, int> &&
         can_atomic_max_masked<W, Tile, Relaxed, Device, int, int> &&
         can_atomic_min_masked<W, Tile, Relaxed, Device, int, int>;
}
static_assert(reduces_masked<N>() && reduces_masked<Strided<int>>());

// Along the gathered dimension a tile of element indices; element starts elsewhere.
using G = Gather<float>;
using I4 = tile<int, 4>;
static_assert(can_load<G, I4, int> && can_load<Gather<const float>, tile<unsigned, 4>, int>);
static_assert(!can_load<G, tile<int, 8>, int> && !can_load<G, int, I4> && !can_load<G, int, int>);
static_assert(can_load_masked<G, I4, int> && can_load_masked<G, ct::view_padding_nan_t, I4, int>);
static_assert(can_store<G, t48<float>, I4, int> && can_store_masked<G, t48<__half>, I4, int>);
static_assert(!can_store<Gather<const float>, t48<float>, I4, int> &&
              can_load<G, tile<float, 4>, int>);
static_assert(!can_atomic_add<Gather<int>, t48<int>, Relaxed, Device, I4, int>);
template <class D>
concept can_gather =
    requires(Span<float> s, D d) { ct::gather_scatter_view{s, ct::shape<4, 8>{}, d}; };
static_assert(can_gather<ct::integral_constant<1>> && !can_gather<ct::integral_constant<2>>);

// irange
template <class... A>
concept can_range = requires(A... a) { ct::irange(a...); };
static_assert(can_range<int, int> && can_range<size_t, size_t, size_t> &&
              can_range<int, long long>);
static_assert(!can_range<int, unsigned> && !can_range<float, float> && !can_range<int>);
static_assert(!can_range<ct::integral_constant<0>, int> && can_range<short, short>);
static_assert(same<decltype(*ct::irange(0, 5ll).begin()), long long>);
template <class T>
concept can_iterate = requires { typename ct::irange_iterator<T>; };
static_assert(can_iterate<int>);

// assumptions
#define ASSUME(NAME)                                                                               \
  template <auto M, class T>                                                                       \
  concept can_##NAME = requires(T x) { ct::NAME<M>(x); };                                          \
  template <class T, class... A>                                                                   \
  concept can_##NAME##_by = requires(T x, A... a) { ct::NAME(x, a...); };
ASSUME(assume_aligned)
ASSUME(assume_divisible)
ASSUME(assume_bounded_below)
ASSUME(assume_bounded_above)
ASSUME(assume_aligned_strided)
ASSUME(assume_divisible_strided)
ASSUME(assume_blocked)
using K16 = ct::integral_constant<16>;
static_assert(can_assume_aligned<16, int *> && can_assume_aligned_by<tile<float *, 4>, K16>);
static_assert(can_assume_aligned<16, void *> && !can_assume_aligned<12, int *> &&
              !can_assume_aligned<16, int>);
static_assert(can_assume_divisible<16, int> && can_assume_divisible_by<I4, K16>);
static_assert(!can_assume_divisible<12, int> && !can_assume_divisible<0, int> &&
              !can_assume_divisible<16, float>);
static_assert(can_assume_bounded_below<0, int> && can_assume_bounded_above_by<I4, K16>);
static_assert(!can_assume_bounded_below<-1, unsigned> &&
              !can_assume_bounded_above<300, signed char>);
// Bounds are signed; an unsigned number is bounded from above alone.
static_assert(!can_assume_bounded_below<0, unsigned> && !can_assume_bounded_below<0, bool>);
static_assert(can_assume_bounded_above<127, unsigned char> &&
              !can_assume_bounded_above<128, unsigned char>);
static_assert(can_assume_bounded_above<0x7fffffffu, unsigned> &&
              !can_assume_bounded_above<0x80000000u, unsigned> &&
              !can_assume_bounded_above<1, bool>);
template <auto L, auto H, class T>
concept can_bound = requires(T x) { ct::assume_bounded<L, H>(x); };
static_assert(can_bound<0, 8, int> && can_bound<-1, 1, I4> && !can_bound<8, 0, int>);
static_assert(can_bound<1, 5, unsigned> && !can_bound<0, 0x8000000000000000u, unsigned long long>);
static_assert(can_assume_aligned_strided_by<tile<int *, 8>, K16, ct::integral_constant<4>,
                                            ct::integral_constant<0>>);
static_assert(can_assume_divisible_strided_by<tile<int, 8>, K16, ct::integral_constant<4>,
                                              ct::integral_constant<0>>);
static_assert(can_assume_blocked_by<tile<int, 8>, ct::shape<4>> &&
              can_assume_blocked_by<tile<int *, 8>, ct::shape<2>>);
static_assert(!can_assume_blocked_by<tile<float, 8>, ct::shape<4>> &&
              !can_assume_blocked_by<tile<int, 8>, ct::shape<2, 2>>);

__tile_global__ void k(int *p, float *q, int n) {
  V v{Span<float>{q, ct::extents<int, ct::dynamic_extent, 64>{n}}, {}};
  static_assert(same<decltype(v.load(0, 0)), tile<float, 4, 8>>);
  static_assert(
      same<decltype(v.load_masked<ct::view_padding::positive_inf>(0, 0)), tile<float, 4, 8>>);
  static_assert(same<decltype(v.store(t48<float>(), 0, 0)), void>);
  static_assert(same<decltype(v.span()), const Span<float> &> ||
                same<decltype(v.span()), Span<float>>);
  for (auto i : ct::irange(0, n, 2))
    p[i] = i;
  p[0] = ct::assume_blocked<ct::shape<>>(n);
}
int main() {}
