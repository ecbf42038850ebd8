// RUN: %clang_tile -fsyntax-only %s
// Extents, layouts and spans are values of ordinary C++, in host code too; views are built on them.
#include "same.h"

using mixed = ct::extents<int, ct::dynamic_extent, 3>;
static_assert(mixed::rank() == 2 && mixed::rank_dynamic() == 1 && mixed::static_extent(1) == 3 &&
              sizeof(mixed) == 4 && sizeof(ct::shape<3, 4>) == 1);
static_assert(mixed{7}.extent(0) == 7 && mixed{7}.extent(1) == 3 && mixed{7} == mixed{7, 3} &&
              mixed{7} == ct::extents{7, 3_ic} && !(mixed{7} == mixed{8}));
static_assert(
    same<decltype(ct::extents{4_ic, 7L, 2_ic}), ct::extents<unsigned, 4, ct::dynamic_extent, 2>>);
static_assert(same<decltype(ct::shape{4_ic, 2_ic * 8_ic}), ct::shape<4, 16>> &&
              same<decltype(ct::shape{2}), ct::extents<unsigned, ct::dynamic_extent>>);
static_assert(same<decltype(ct::strides{2, 1_ic}), ct::strides<unsigned, ct::dynamic_stride, 1>>);
static_assert(!__is_convertible(ct::shape<3, 4>, mixed));

constexpr ct::extents box{2_ic, 3, 4_ic};
constexpr ct::layout_right_mapping right{box};
constexpr ct::layout_left_mapping left{box};
constexpr ct::layout_right_padded_mapping padded{box, 5_ic};
constexpr ct::layout_strided_mapping loose{ct::extents{3, 5}, ct::strides{2_ic, 7}};
static_assert(right.stride(0) == 12 && right.stride(1) == 4 && right.stride(2) == 1 &&
              left.stride(1) == 2 && left.stride(2) == 6);
static_assert(padded.stride(0) == 15 && padded.stride(1) == 5 && padded.stride(2) == 1 &&
              loose.stride(0) == 2 && loose.stride(1) == 7);
static_assert(ct::layout_mapping_static_stride<decltype(right)>{}(1) == 4 &&
              ct::layout_mapping_static_stride<decltype(right)>{}(0) == ct::dynamic_stride);
static_assert(ct::layout_mapping_equal(right,
                                       ct::layout_strided_mapping{box, ct::strides{12, 4, 1}}));

static_assert(same<decltype(0x7fffffff + 1_ic), int> == same<decltype(1_ic)::value_type, int>);
static_assert(same<decltype(3000000000_ic)::value_type, long> && 1'000_ic == 1000 &&
              (7_ic / 2_ic)() == 3 && (-4_ic).value == -4);

template <class E> using span = decltype(ct::tensor_span{static_cast<E *>(nullptr), box});
static_assert(ct::tensor_span_like<span<const float>> &&
              same<span<const float>::value_type, float> &&
              !__is_convertible(span<float>, span<const float>));
static_assert(!__is_constructible(span<float>) && !__is_constructible(span<float>, float *));

using view = decltype(ct::partition_view{span<float>(nullptr, box), ct::shape<2, 2, 4>{}});
static_assert(same<view::view_tile_type, tile<float, 2, 2, 4>>);
template <class V, class... I>
concept loads = requires(V v, I... i) { v.load(i...); };
template <class V, class X>
concept stores = requires(V v, X x) { v.store(x, 0, 0, 0); };
static_assert(loads<view, int, unsigned, long> && loads<view, float, bool, char> &&
              !loads<view, int, int> && !loads<view, int, int, decltype(1_ic)>);
static_assert(stores<view, tile<__half, 2, 2, 4>> && !stores<view, tile<double, 2, 2, 4>> &&
              !stores<view, tile<float, 4>> && !stores<view, float>);
static_assert(
    !stores<decltype(ct::partition_view{span<const float>(nullptr, box), ct::shape<2, 2, 4>{}}),
            tile<float, 2, 2, 4>>);

template <class V>
concept pads_with_nan = requires(V v) { v.load_masked(ct::view_padding_nan_t{}, 0, 0, 0); };
static_assert(
    pads_with_nan<view> &&
    !pads_with_nan<decltype(ct::partition_view{span<int>(nullptr, box), ct::shape<2, 2, 4>{}})>);

template <class S>
concept partitioned = requires(S s) { ct::partition_view{s, ct::shape<4, 4>{}}; };
using zero_stride = decltype(ct::tensor_span{
    static_cast<int *>(nullptr),
    ct::layout_strided_mapping{ct::extents{4_ic, 4_ic}, ct::strides{0_ic, 1_ic}}});
static_assert(
    !partitioned<zero_stride> && !partitioned<span<float>> &&
    !partitioned<decltype(ct::tensor_span{static_cast<int *>(nullptr), ct::shape<4, 0>{}})>);

void on_the_host(int n) {
  int sum = 0;
  for (auto i : ct::irange(0, n, 2))
    sum += i;
  static_assert(same<decltype(*ct::irange(0, 5LL).begin()), long long>);
}
