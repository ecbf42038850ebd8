// [tile:reductions_and_scans] What is to be written of a reduction or a scan keeps the dimension,
// the modes and the direction that were given, in the order in which it takes them.
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void scans(tile<float, 4, 8> x, tile<float, 8> y, tile<int, 8> i) {
  auto a = ct::partial_sum(x, 1, ct::scan_backward_t{});
  //       ^ error: 'partial_sum' along a dimension of type int: the dimension must be a constant;
  //         write partial_sum(x, 1_ic, scan_backward_t{})
  //         [tile:reductions_and_scans/dimension-is-no-constant]
  // right: auto a = ct::partial_sum(x, 1_ic, ct::scan_backward_t{});
  auto b = ct::partial_sum(y, ct::scan_backward_t{});
  //       ^ error: 'partial_sum' of tile<float, 8> names no dimension; write partial_sum(x, 0_ic,
  //         scan_backward_t{}) [tile:reductions_and_scans/reduction-without-dimension]
  // right: auto b = ct::partial_sum(y, 0_ic, ct::scan_backward_t{});
  auto c = ct::partial_prod<1>(x, ct::scan_backward_t{});
  //       ^ error: 'partial_prod' with modes takes its dimension as an argument; write
  //         partial_prod(x, 1_ic, scan_backward_t{})
  //         [tile:reductions_and_scans/mode-behind-dimension]
  // right: auto c = ct::partial_prod(x, 1_ic, ct::scan_backward_t{});
  auto d = ct::partial_sum<0>(y, true);
  //       ^ error: 'partial_sum' does not take <0>(tile<float, 8>, bool); write
  //         partial_sum<dimension>(x), or from the end partial_sum(x, 0_ic, scan_backward_t{})
  //         [tile:general_principles/form]
  // right: auto d = ct::partial_sum(y, 0_ic, ct::scan_backward_t{});
  auto e = ct::partial_sum(y, 0, ct::scan_backward_t{}, ct::round_toward_zero_t{});
  //       ^ error: 'partial_sum' along a dimension of type int: the dimension must be a constant;
  //         write partial_sum(x, 0_ic, round_toward_zero_t{}, preserve_subnormals_t{},
  //         scan_backward_t{}) [tile:reductions_and_scans/dimension-is-no-constant]
  // right: auto e = ct::partial_sum(y, 0_ic, ct::scan_backward_t{});
  auto f = ct::partial_prod<0>(i, ct::scan_backward_t{});
  //       ^ error: 'partial_prod' with modes takes its dimension as an argument; write
  //         partial_prod(x, 0_ic, scan_backward_t{})
  //         [tile:reductions_and_scans/mode-behind-dimension]
  // right: auto f = ct::partial_prod(i, 0_ic, ct::scan_backward_t{});
}
__tile__ void sums(tile<float, 8> y) {
  auto a = ct::sum(y, ct::round_subnormals_to_zero_t{}, ct::round_toward_zero_t{});
  //       ^ error: 'sum' of tile<float, 8> names no dimension; write sum(x, 0_ic,
  //         round_toward_zero_t{}, round_subnormals_to_zero_t{})
  //         [tile:reductions_and_scans/reduction-without-dimension]
  // right: auto a = ct::sum(y, 0_ic, ct::round_toward_zero_t{});
  auto b = ct::sum(y, ct::propagate_nan_t{});
  //       ^ error: 'sum' of tile<float, 8> names no dimension; write sum<0>(...)
  //         [tile:reductions_and_scans/reduction-without-dimension]
  // right: auto b = ct::sum(y, 0_ic);
  auto c = ct::max_element<0>(y, ct::propagate_nan_t{});
  //       ^ error: 'max_element' does not take <0>(tile<float, 8>, propagate_nan_t); write
  //         max_element<dimension>(x) [tile:general_principles/form]
  // right: auto c = ct::max_element<0>(y);
  auto d = ct::reduce_max<0>(y, ct::round_subnormals_to_zero_t{});
  //       ^ error: 'reduce_max' with modes takes its dimension as an argument; write reduce_max(x,
  //         0_ic, suppress_nan_t{}, round_subnormals_to_zero_t{})
  //         [tile:reductions_and_scans/mode-behind-dimension]
  // right: auto d = ct::reduce_max(y, 0_ic, ct::suppress_nan_t{});
}
__tile__ void given(tile<float, 8> y) {
  auto a = ct::partial_sum(y, 0_ic, ct::round_toward_zero_t{}, ct::preserve_subnormals_t{},
                           ct::scan_backward_t{});
  auto b = ct::reduce_max(y, 0_ic, ct::suppress_nan_t{}, ct::round_subnormals_to_zero_t{});
}
