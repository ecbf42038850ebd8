// [tile:matrix_multiplication] Ranks, inner extents, the accumulator, elements that go together.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void shapes(tile<float, 16, 8> a, tile<float, 16, 8> b, tile<float, 8, 4> c,
                     tile<float, 2, 16, 8> d, tile<float, 4, 8, 4> e, tile<float, 16, 16> sum) {
  auto x1 = ct::mma(a, b, sum);
  //        ^ error: 'mma' of tile<float, 16x8> and tile<float, 16x8>: the left operand has 8
  //          columns and the right operand has 16 rows; these numbers must be equal
  //          [tile:matrix_multiplication/mma-inner]
  // right: auto x1 = ct::matmul(a, ct::transpose(b));
  auto x2 = ct::matmul(a, b);
  //        ^ error: 'matmul' of tile<float, 16x8> and tile<float, 16x8>: the left operand has 8
  //          columns and the right operand has 16 rows; these numbers must be equal
  //          [tile:matrix_multiplication/mma-inner]
  auto x3 = ct::mma(a, c, sum);
  //        ^ error: 'mma' of tile<float, 16x8> and tile<float, 8x4> into tile<float, 16x16>: the
  //          accumulator must have the shape 16x4 of the product
  //          [tile:matrix_multiplication/mma-accumulator]
  // right: auto x3 = ct::mma(a, c, ct::zeros<tile<float, 16, 4>>());
  auto x4 = ct::matmul(a, e);
  //        ^ error: 'matmul' of tile<float, 16x8> and tile<float, 4x8x4>: both operands must have
  //          rank 2, or rank 3 with the batch as the first dimension
  //          [tile:matrix_multiplication/mma-rank]
  // right: auto x4 = ct::matmul(a, c);
  auto x5 = ct::matmul(d, e);
  //        ^ error: 'matmul' of tile<float, 2x16x8> and tile<float, 4x8x4>: the batch extents 2 and
  //          4 differ, and neither is 1 [tile:matrix_multiplication/mma-batch]
  // right: auto x5 = ct::matmul(d, ct::full<tile<float, 1, 8, 4>>(1.0f));
  auto x6 = ct::mma(a, 2.0f, sum);
  //        ^ error: 'mma' of float: the operands must be tiles
  //          [tile:matrix_multiplication/mma-no-tile]
  // right: auto x6 = a * 2.0f;
}
__tile__ void elements(tile<__half, 16, 16> h, tile<__nv_bfloat16, 16, 16> b,
                       tile<float, 16, 16> f, tile<int, 16, 16> i, tile<signed char, 16, 16> c,
                       tile<unsigned, 16, 16> u, tile<double, 16, 16> d) {
  auto x1 = ct::mma(h, b, f);
  //        ^ error: 'mma' of tile<__half, 16x16> and tile<__nv_bfloat16, 16x16>: both operands must
  //          have the same element type, or must be 8-bit integers
  //          [tile:matrix_multiplication/mma-operands]
  // right: auto x1 = ct::mma(h, ct::element_cast<__half>(b), f);
  auto x2 = ct::mma(b, b, h);
  //        ^ error: 'mma' of tile<__nv_bfloat16, 16x16> and tile<__nv_bfloat16, 16x16> into
  //          tile<__half, 16x16>: __nv_bfloat16 accumulates in float
  //          [tile:matrix_multiplication/mma-accumulator-type]
  // right: auto x2 = ct::mma(b, b, f);
  auto x3 = ct::mma(c, c, u);
  //        ^ error: 'mma' of tile<signed char, 16x16> and tile<signed char, 16x16> into
  //          tile<unsigned int, 16x16>: 8-bit integers accumulate in int
  //          [tile:matrix_multiplication/mma-accumulator-type]
  auto x4 = ct::matmul(i, i);
  //        ^ error: 'matmul' of tile<int, 16x16> and tile<int, 16x16>: both operands must have the
  //          same element type, or must be 8-bit integers [tile:matrix_multiplication/mma-operands]
  auto x5 = ct::mma(f, f, d);
  //        ^ error: 'mma' of tile<float, 16x16> and tile<float, 16x16> into tile<double, 16x16>:
  //          float accumulates in float [tile:matrix_multiplication/mma-accumulator-type]
  auto x6 = ct::mma(h, h);
  //        ^ error: 'mma' does not take tile<__half, 16x16>, tile<__half, 16x16>; write mma(left,
  //          right, accumulator) [tile:general_principles/form]
}

// A kernel of a library of matrices, with one extent mistaken.
template <int M, int N, int K>
__tile_global__ void gemm(const __half *a, const __half *b, float *c, int k) {
  auto left = ct::partition_view{ct::tensor_span{a, ct::extents{128, k}}, ct::shape<M, K>{}};
  auto right = ct::partition_view{ct::tensor_span{b, ct::extents{k, 128}}, ct::shape<N, K>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (int i : ct::irange(0, k / K))
    sum = ct::mma(left.load(0, i), right.load(i, 0), sum);
    //    ^ error: 'mma' of tile<__half, 64x32> and tile<__half, 64x32>: the left operand has 32
    //      columns and the right operand has 64 rows; these numbers must be equal
    //      [tile:matrix_multiplication/mma-inner]
    // right: sum = ct::mma(left.load(0, i), ct::transpose(right.load(0, i)), sum);
}
void launch(const __half *a, const __half *b, float *c) {
  gemm<64, 64, 32><<<1, 1>>>(a, b, c, 64);
//^ note: in gemm<64, 64, 32>, launched at multiply.cu:*
}
