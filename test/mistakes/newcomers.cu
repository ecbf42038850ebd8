// What comes of first days with tiles: operators of other languages, places that are no numbers.
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
using matrix = ct::tile<float, ct::shape<16, 64>>;
using numbers = ct::tile<int, ct::shape<64>>;

__tile_global__ void places(float *p, int n) {
  auto next = ct::bid() + 1;
  //                    ^ error: uint3 is not a number; it has the members x, y and z; write
  //                ct::bid().x [tile:launch/block-index-is-no-number]
  // fix: auto next = ct::bid().x + 1;
  int first = ct::bid() * 64;
  //                    ^ error: uint3 is not a number; it has the members x, y and z; write
  //                ct::bid().x [tile:launch/block-index-is-no-number]
  // fix: int first = ct::bid().x * 64;
  int second = 64 * ct::bid();
  //              ^ error: uint3 is not a number; it has the members x, y and z; write ct::bid().x
  //                [tile:launch/block-index-is-no-number]
  // fix: int second = 64 * ct::bid().x;
  if (ct::bid() == 0)
  //            ^ error: uint3 is not a number; it has the members x, y and z; write ct::bid().x
  //              [tile:launch/block-index-is-no-number]
  // fix: if (ct::bid().x == 0)
    n = 0;
  for (int i = 0; i < n; i += ct::num_blocks())
  //                       ^ error: dim3 is not a number; it has the members x, y and z; write
  //                ct::num_blocks().x [tile:launch/block-index-is-no-number]
  // fix: for (int i = 0; i < n; i += ct::num_blocks().x)
    n = i;
  int called = ct::bid().x();
  //                      ^ error: 'x' is a number, not a function; write .x without parentheses
  //                [tile:launch/block-index-member]
  // fix: int called = ct::bid().x;
  int blocks = ct::num_blocks().y();
  //                             ^ error: 'y' is a number, not a function; write .y without
  //                parentheses [tile:launch/block-index-member]
  // fix: int blocks = ct::num_blocks().y;
  p[n] = 0;
}

__tile_global__ void operators(float *p, int n) {
  auto x = ct::load(p + ct::iota<numbers>());
  auto m = ct::full<matrix>(0.0f);
  auto largest = ct::max<0>(x);
  //             ^ error: 'max' of one tile, tile<float, 64>: the function compares the elements of
  //               two tiles; write reduce_max<0>(x), which reduces one tile along a dimension
  //               [tile:arithmetic_operations/one-tile]
  // fix: auto largest = ct::reduce_max<0>(x);
  auto smallest = ct::min<1>(m);
  //              ^ error: 'min' of one tile, tile<float, 16x64>: the function compares the elements
  //                of two tiles; write reduce_min<1>(x), which reduces one tile along a dimension
  //                [tile:arithmetic_operations/one-tile]
  // fix: auto smallest = ct::reduce_min<1>(m);
  auto last = ct::max(x, 0_ic);
  //          ^ error: 'max' of one tile, tile<float, 64>: the function compares the elements of two
  //            tiles; write reduce_max<0>(x), which reduces one tile along a dimension
  //            [tile:arithmetic_operations/one-tile]
  // fix: auto last = ct::reduce_max(x, 0_ic);
  auto any = ct::max(x);
  //         ^ error: 'max' of one tile, tile<float, 64>: the function compares the elements of two
  //           tiles; write reduce_max<0>(x), which reduces one tile along a dimension
  //           [tile:arithmetic_operations/one-tile]
  // right: auto any = ct::reduce_max<0>(x);
  auto square = x ** 2;
  //               ^ error: C++ has no operator **; write x * x for a square, or pow(x, y) for a
  //                floating-point power [tile:arithmetic_operations/no-such-operator]
  // right: auto square = x * x;
  auto product = m @ m;
  //               ^ error: C++ has no operator @; mma(left, right, accumulator) and matmul(left,
  //                right) multiply matrices [tile:arithmetic_operations/no-such-operator]
  // right: auto product = m * m;
  x = x @ x;
  //    ^ error: C++ has no operator @; mma(left, right, accumulator) and matmul(left, right)
  //      multiply matrices [tile:arithmetic_operations/no-such-operator]
  ct::store(p + ct::iota<numbers>(), x);
}
