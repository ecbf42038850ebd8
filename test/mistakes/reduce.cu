// [tile:reductions_and_scans] The dimension is a constant and there; what is computed with.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void dimensions(tile<float, 4, 8> x, tile<float, 8> y, int d) {
  auto x1 = ct::sum<2>(x);
  //        ^ error: 'sum' of tile<float, 4x8> along dimension 2: the tile has dimensions 0 to 1
  //          [tile:general_principles/no-dimension]
  auto x2 = ct::reduce_max(y, 1_ic);
  //        ^ error: 'reduce_max' of tile<float, 8> along dimension 1: the tile has only dimension 0
  //          [tile:general_principles/no-dimension]
  auto x3 = ct::prod<-1>(x);
  //        ^ error: 'prod' of tile<float, 4x8> along dimension -1: the tile has dimensions 0 to 1
  //          [tile:general_principles/no-dimension]
  auto x4 = ct::sum(y);
  //        ^ error: 'sum' of tile<float, 8> names no dimension; write sum<0>(...)
  //          [tile:reductions_and_scans/reduction-without-dimension]
  // right: auto x4 = ct::sum<0>(y);
  auto x5 = ct::sum(x, d);
  //        ^ error: 'sum' along a dimension of type int: the dimension must be a constant; write
  //          sum<0>(x) or sum(x, 0_ic) [tile:reductions_and_scans/dimension-is-no-constant]
  // right: auto x5 = ct::sum(x, 1_ic);
  auto x6 = ct::any_of<1>(y > 0.0f);
  //        ^ error: 'any_of' of tile<bool, 8> along dimension 1: the tile has only dimension 0
  //          [tile:general_principles/no-dimension]
  auto x7 = ct::partial_sum<1>(y);
  //        ^ error: 'partial_sum' of tile<float, 8> along dimension 1: the tile has only dimension
  //          0 [tile:general_principles/no-dimension]
  auto x8 = ct::max_element<1>(y);
  //        ^ error: 'max_element' of tile<float, 8> along dimension 1: the tile has only dimension
  //          0 [tile:general_principles/no-dimension]
  auto x9 = ct::sum<0>(2.0f);
  //        ^ error: 'sum' of float: the operand must be a tile
  //          [tile:reductions_and_scans/reduction-of-no-tile]
  // right: auto x9 = 2.0f;
}
__tile__ void elements(tile<float, 8> x, tile<__nv_fp8_e4m3, 8> e, tile<int, 8> i) {
  auto x1 = ct::reduce_bitand<0>(x);
  //        ^ error: 'reduce_bitand' of tile<float, 8>: only integers are allowed
  //          [tile:arithmetic_operations/integers-only]
  auto x2 = ct::sum<0>(e);
  //        ^ error: 'sum' of tile<__nv_fp8_e4m3, 8>: __nv_fp8_e4m3 has no arithmetic; convert it
  //          with element_cast<float> [tile:arithmetic_operations/not-arithmetic]
  auto x3 = ct::sum(i, 0_ic, ct::round_toward_zero_t{});
  //        ^ error: 'sum' of tile<int, 8> with round_toward_zero_t: only floating-point operations
  //          take a mode [tile:general_principles/mode-of-integers]
}
