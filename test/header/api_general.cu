// Every concept, trait and alias of the general operations. [tile:general_operations]
// RUN: %clang_tile -fsyntax-only %s
#include "same.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>

struct other {};
enum enumeration {};

// Categories of scalars.
static_assert(ct::integral<int> && ct::integral<const bool> && !ct::integral<float>);
static_assert(ct::scalar<int> && ct::scalar<__half> && ct::scalar<__nv_tf32> && ct::scalar<int *>);
static_assert(ct::scalar<const float *> && ct::scalar<void *> && ct::scalar<__nv_fp8_e4m3>);
static_assert(ct::scalar<__nv_fp8_e8m0> && ct::scalar<__nv_fp4_e2m1> && ct::scalar<const int>);
static_assert(!ct::scalar<other> && !ct::scalar<enumeration> && !ct::scalar<int **>);
static_assert(!ct::scalar<__half2> && !ct::scalar<other *> && !ct::scalar<__int128>);
static_assert(!ct::scalar<void (*)()> && !ct::scalar<int[2]> && !ct::scalar<int &>);
static_assert(ct::arithmetic_scalar<bool> && ct::arithmetic_scalar<double>);
static_assert(!ct::arithmetic_scalar<__nv_tf32> && !ct::arithmetic_scalar<int *>);
static_assert(ct::integral_scalar<char8_t> && ct::integral_scalar<wchar_t>);
static_assert(ct::numeric_scalar<__nv_fp8_e5m2> && !ct::numeric_scalar<int *>);
static_assert(ct::pointer_scalar<int *> && !ct::pointer_scalar<int>);
static_assert(ct::floating_point_scalar<__nv_tf32> && !ct::floating_point_scalar<int>);
static_assert(ct::basic_floating_point_scalar<__nv_bfloat16>);
static_assert(!ct::basic_floating_point_scalar<__nv_tf32>);

// Categories of tiles; a scalar counts as one.
static_assert(ct::tile_like<int> && ct::tile_like<tile<int, 4>> && ct::tile_like<const tile<int>>);
static_assert(!ct::tile_like<other> && !ct::tile_like<tile<int> &>);
static_assert(ct::pointer_tile<tile<int *, 2>> && ct::pointer_tile<int *>);
static_assert(ct::numeric_tile<tile<__nv_fp8_e4m3, 2>> && !ct::numeric_tile<tile<int *, 2>>);
static_assert(ct::arithmetic_tile<tile<__half, 2>> && !ct::arithmetic_tile<tile<__nv_tf32, 2>>);
static_assert(ct::integral_tile<tile<bool, 2>> && !ct::integral_tile<tile<float, 2>>);
static_assert(ct::basic_floating_point_tile<float> && ct::floating_point_tile<__nv_tf32>);
static_assert(!ct::basic_floating_point_tile<tile<__nv_tf32, 2>>);
static_assert(ct::restricted_floating_point_tile<tile<__nv_fp8_e5m2, 2>>);
static_assert(!ct::restricted_floating_point_tile<tile<float, 2>>);

// Shapes, spans, layouts.
static_assert(ct::extents_like<ct::extents<int, 3>> && !ct::extents_like<int>);
static_assert(ct::shape_like<ct::shape<33, 0>>);
static_assert(!ct::shape_like<ct::extents<int, ct::dynamic_extent>>);
static_assert(ct::tile_shape<ct::shape<>> && ct::tile_shape<ct::shape<4, 8>>);
static_assert(!ct::tile_shape<ct::shape<3>> && !ct::tile_shape<ct::shape<0>>);
static_assert(!ct::tile_shape<ct::extents<int, 4>>);
static_assert(ct::strides_like<ct::strides<int, 3, 4>> && !ct::strides_like<ct::shape<3>>);
static_assert(ct::layout_mapping<ct::layout_right_mapping<ct::shape<2, 3>>>);
static_assert(!ct::layout_mapping<ct::layout_right>);
static_assert(ct::accessor_policy<ct::default_accessor<int>> && !ct::accessor_policy<int>);
using span = ct::tensor_span<float, ct::shape<2, 3>>;
static_assert(ct::tensor_span_like<span> && !ct::tensor_span_like<float *>);
static_assert(ct::enable_contiguous_accessor_policy<ct::default_accessor<int>>);
static_assert(ct::layout_mapping_static_stride<ct::layout_right_mapping<ct::shape<2, 3>>>{}(0) ==
              3);

// Conversions.
static_assert(ct::broadcastable_to<int, ct::shape<4>>);
static_assert(ct::broadcastable_to<tile<int, 4>, ct::shape<2, 4>>);
static_assert(!ct::broadcastable_to<tile<int, 4>, ct::shape<4, 2>>);
static_assert(ct::bool_tile_convertible<tile<float, 2>> && ct::bool_tile_convertible<int *>);
static_assert(ct::tile_convertible_to<tile<float, 2>, tile<int, 2>>);
static_assert(!ct::tile_convertible_to<tile<float, 2>, tile<float, 1>>);
static_assert(ct::non_narrowing_tile_convertible_to<tile<short, 2>, tile<int, 2>>);
static_assert(!ct::non_narrowing_tile_convertible_to<tile<int, 2>, tile<float, 2>>);
static_assert(ct::arithmetic_tile_convertible<tile<float, 2>, int>);
static_assert(!ct::arithmetic_tile_convertible<tile<float, 2>, double>);
static_assert(ct::arithmetic_tile_comparable<tile<float, 2>, double>);
static_assert(!ct::arithmetic_tile_comparable<tile<int, 2>, unsigned>);
static_assert(ct::mma_compatible<tile<__half, 2, 4>, tile<__half, 4, 8>, tile<float, 2, 8>>);
static_assert(!ct::mma_compatible<tile<__half, 2, 4>, tile<float, 4, 8>, tile<float, 2, 8>>);
static_assert(ct::loadable_tile<const int *> && !ct::loadable_tile<void *>);
static_assert(ct::loadable_tile<tile<float *, 2>> && !ct::loadable_tile<volatile int *>);
static_assert(ct::storeable_tile<int *> && !ct::storeable_tile<const int *>);
static_assert(ct::read_memory_order<ct::memory_order::acquire>);
static_assert(!ct::read_memory_order<ct::memory_order::release>);
static_assert(ct::write_memory_order<ct::memory_order::release>);
static_assert(!ct::write_memory_order<ct::memory_order::acq_rel>);

// Types.
static_assert(same<ct::tile_element_t<const tile<int, 2>>, int>);
static_assert(same<ct::tile_element_t<const float>, float>);
static_assert(same<ct::tile_shape_t<tile<int, 2>>, ct::shape<2>>);
static_assert(same<ct::tile_shape_t<int>, ct::shape<>>);
static_assert(same<ct::tile_with_element_t<tile<int, 2>, float>, tile<float, 2>>);
static_assert(same<ct::tile_with_element_t<int, float>, float>);
static_assert(same<ct::arithmetic_tile_conversion_t<int, float>, float>);
static_assert(same<ct::arithmetic_tile_conversion_t<tile<float, 2>, int>, tile<float, 2>>);
static_assert(same<ct::arithmetic_tile_conversion_t<tile<int, 2, 1>, tile<long long, 4>>,
                   tile<long long, 2, 4>>);
static_assert(!ct::arithmetic_tile_convertible<short, char16_t>); // each would narrow
static_assert(same<ct::arithmetic_tile_comparison_t<tile<float, 2>, double>, tile<double, 2>>);
static_assert(same<ct::arithmetic_tile_promotion_t<tile<short, 2>>, tile<int, 2>>);
static_assert(same<ct::arithmetic_tile_promotion_t<bool>, int>);
static_assert(same<ct::tile_load_t<const float *>, float>);
static_assert(same<ct::tile_load_t<tile<const float *, 2>>, tile<float, 2>>);
static_assert(
    same<ct::mutual_broadcast_t<tile<int, 2, 1>, tile<float, 4>, bool>, tile<bool, 2, 4>>);

__tile_global__ void k(int *p) {
  auto [x, y, z] = ct::bid();
  static_assert(same<decltype(ct::bid()), uint3> && same<decltype(ct::num_blocks()), dim3>);
  static_assert(noexcept(ct::bid()) && noexcept(ct::num_blocks()));
  p[0] = x + y + z + ct::num_blocks().x + ct::num_blocks().y + ct::num_blocks().z;
  p[1] = ct::extents_equal(ct::extents{3_ic, 4}, ct::extents<int, 3, 4>{});
  p[2] = ct::strides_equal(ct::strides{3_ic, 4}, ct::strides<long, 3, 4>{});
  p[3] = ct::layout_mapping_equal(ct::layout_right_mapping{ct::shape<2, 3>{}},
                                  ct::layout_strided_mapping{ct::extents{2, 3}, ct::strides{3, 1}});
}
int main() {}
