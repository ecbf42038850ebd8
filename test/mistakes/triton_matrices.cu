// [tile:matrix_multiplication] Matrices and arrays as Triton and cuTile in Python have them.
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
using matrix = ct::tile<float, ct::shape<64, 32>>;
using square = ct::tile<float, ct::shape<64, 64>>;
using numbers = ct::tile<int, ct::shape<64>>;

__tile_global__ void matrices(float *p, ct::tile<float, ct::shape<32, 64>> *) {
  auto a = ct::zeros<float>({64, 32});
  //       ^ error: 'zeros' does not take <float>({...}); write zeros<tile<...>>()
  //         [tile:general_principles/form]
  // right: auto a = ct::zeros<matrix>();
  auto b = ct::zeros<ct::tile<float, ct::shape<32, 64>>>();
  auto x = ct::ones<matrix>();
  auto sum = ct::zeros<square>();
  sum = sum + ct::dot(x, b);
  //              ^ error: cuda::tiles has no 'dot'; mma(left, right, accumulator) and matmul(left,
  //                right) multiply [tile:header_and_namespace/no-name]
  // right: sum = ct::mma(x, b, sum);
  sum = ct::mma(sum, x, b);
  //    ^ error: 'mma' of tile<float, 64x64> and tile<float, 64x32> into tile<float, 32x64>: the
  //      accumulator must have the shape 64x32 of the product
  //      [tile:matrix_multiplication/mma-accumulator]
  // right: sum = ct::mma(x, b, sum);
  auto turned = ct::trans(x);
  //                ^ error: cuda::tiles has no 'trans'; transpose(x) exchanges the dimensions
  //                [tile:header_and_namespace/no-name]
  // right: auto turned = ct::transpose(x);
  auto turned_too = ct::permute(x, 1, 0);
  //                ^ error: 'permute' does not take tile<float, 64x32>, int, int; write permute(x,
  //                dimension_map<...>{}) [tile:general_principles/form]
  // right: auto turned_too = ct::permute(x, ct::dimension_map<1, 0>{});
  auto total = ct::sum(x, 1);
  //           ^ error: 'sum' along a dimension of type int: the dimension must be a constant; write
  //             sum<1>(x) or sum(x, 1_ic) [tile:reductions_and_scans/dimension-is-no-constant]
  // right: auto total = ct::sum<1>(x);
  float all = ct::sum<1>(x);
  //    ^ error: tile<float, 64x1> does not convert to float: the tile has 64 elements, and a scalar
  //      has one [tile:tile_conversion/tile-many-to-scalar]
  // right: float all = static_cast<float>(ct::sum<0>(ct::sum<1>(x)));
  auto column = ct::expand_dims(ct::ones<row>(), 1);
  //                ^ error: cuda::tiles has no 'expand_dims'; reshape(x, shape<...>{}) adds
  //                dimensions of 1 [tile:header_and_namespace/no-name]
  // right: auto column = ct::reshape(ct::ones<row>(), ct::shape<64, 1>{});
  auto scaled = x * ct::ones<row>();
  //              ^ error: '*' of tile<float, 64x32> and tile<float, 64>: the shapes do not
  //                broadcast; along dimension 1 the extents are 32 and 64, and neither is 1
  //                [tile:general_principles/shapes-do-not-broadcast]
  // right: auto scaled = x * ct::reshape(ct::ones<row>(), ct::shape<64, 1>{});
  auto product = ct::matmul(x, x);
  //             ^ error: 'matmul' of tile<float, 64x32> and tile<float, 64x32>: the left operand
  //               has 32 columns and the right operand has 64 rows; these numbers must be equal
  //               [tile:matrix_multiplication/mma-inner]
  // right: auto product = ct::matmul(x, ct::transpose(x));
}
__tile_global__ void arrays(float *p, int n) {
  auto a = ct::partition_view{ct::tensor_span{p, ct::extents{n}}, ct::shape<64>{}};
  auto x = ct::load(a, ct::bid().x);
  //       ^ error: 'load' of partition_view<float, 64>: views have members for loads and stores;
  //         write a.load(index...) [tile:partition_view/view-is-asked]
  // right: auto x = a.load(ct::bid().x);
  auto y = ct::load(p, {0}, ct::shape<64>{});
  //       ^ error: 'load' does not take float *, {...}, shape<64>; write load(pointers)
  //         [tile:general_principles/form]
  // right: auto y = ct::load(p + ct::iota<numbers>());
  auto z = a.load(ct::bid());
  //         ^ error: uint3 is not a number; it has the members x, y and z; write ct::bid().x
  //           [tile:launch/block-index-is-no-number]
  // fix: auto z = a.load(ct::bid().x);
  auto w = a.load({0});
  //         ^ error: 'load': index 0 has type {...}; an index must be a number
  //           [tile:partition_view/view-index]
  // right: auto w = a.load(0);
  a.store(0, ct::ones<row>());
 // ^ error: 'store': the value tile<float, 64> must precede the indices
 //   [tile:partition_view/view-store-order]
  // fix: a.store(ct::ones<row>(), 0);
  ct::store(a, 0, ct::ones<row>());
//^ error: 'store' of partition_view<float, 64>: views have members for loads and stores; write
//  a.store(value, index...) [tile:partition_view/view-is-asked]
  // right: a.store(ct::ones<row>(), 0);
  int tiles = ct::num_tiles(a, 0);
  //              ^ error: cuda::tiles has no 'num_tiles'; ceildiv(extent, 64) counts the tiles of
  //                an extent [tile:header_and_namespace/no-name]
  // right: int tiles = ct::ceildiv(n, 64);
  auto g = ct::gather(p, ct::iota<numbers>());
  //           ^ error: cuda::tiles has no 'gather'; load(p + indices) reads at a tile of indices,
  //             and gather_scatter_view reads in a span [tile:header_and_namespace/no-name]
  // right: auto g = ct::load(p + ct::iota<numbers>());
  ct::scatter(p, ct::iota<numbers>(), ct::ones<row>());
  //  ^ error: cuda::tiles has no 'scatter'; store(p + indices, x) writes at a tile of indices, and
  //    gather_scatter_view writes in a span [tile:header_and_namespace/no-name]
  // right: ct::store(p + ct::iota<numbers>(), ct::ones<row>());
}
