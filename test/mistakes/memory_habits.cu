// [tile:memory_operations] Memory and loops as others have them.
#include <cstdio>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
using numbers = ct::tile<int, ct::shape<64>>;
__tile__ auto places() { return ct::iota<numbers>(); }

__tile_global__ void memory(float *p, int n) {
  row x = ct::load(p);
  //  ^ error: float does not convert to tile<float, 64> implicitly; write ct::full<ct::tile<float,
  //    ct::shape<64>>>(ct::load(p)) [tile:tile_conversion/scalar-to-tile]
  // fix: row x = ct::full<ct::tile<float, ct::shape<64>>>(ct::load(p));
  row y = ct::load(p, places());
  //      ^ error: 'load' does not take float *, tile<int, 64>; write load(pointers)
  //        [tile:general_principles/form]
  // right: row y = ct::load(p + places());
  auto m = ct::load(p + places(), places() < n);
  //       ^ error: 'load' does not take tile<float *, 64>, tile<bool, 64>; write load(pointers)
  //         [tile:general_principles/form]
  // right: auto m = ct::load_masked(p + places(), places() < n);
  auto z = ct::load_masked(p + places());
  //       ^ error: 'load_masked' does not take tile<float *, 64>; write load_masked(pointers, mask)
  //         or load_masked(pointers, mask, pad) [tile:general_principles/form]
  // right: auto z = ct::load_masked(p + places(), places() < n);
  ct::store(x, p + places());
//^ error: 'store' through tile<float, 64>, which is not a pointer to numbers
//  [tile:memory_operations/no-pointers]
  // right: ct::store(p + places(), x);
  ct::store(p + places(), x, places() < n);
//^ error: 'store' does not take tile<float *, 64>, tile<float, 64>, tile<bool, 64>; write
//  store(pointers, value) [tile:general_principles/form]
  // right: ct::store_masked(p + places(), x, places() < n);
  ct::store(n + places(), x);
//^ error: 'store' through tile<int, 64>, which is not a pointer to numbers
//  [tile:memory_operations/no-pointers]
  // right: ct::store(p + n + places(), x);
  p[places()] = 1.0f;
// ^ error: the index of float * is not a number; load(p + i) and store(p + i, x) access memory
//   through a tile of pointers [tile:memory_operations/pointer-subscript]
  // right: ct::store(p + places(), ct::full<row>(1.0f));
  float first = x[0];
  //             ^ error: tile<float, 64> cannot be indexed: a tile is one value; extract takes a
  //               part of it [tile:tile/tile-subscript]
  // right: float first = static_cast<float>(ct::extract(x, ct::shape<1>{}, 0));
  row w = ct::load(p + places());
  for (float v : w)
  //           ^ error: a loop cannot iterate over tile<float, 64>: a tile is one value; operations
  //             apply to all its elements, and extract takes a part of it [tile:tile/tile-range]
  // right: for (int v = 0; v < n; ++v)
    n += 1;
  for (int i = 0; i < x.size(); ++i)
  //                    ^ error: tile<float, 64> has no member 'size'; tile_element_t<T> and
  //                tile_shape_t<T> give the element type and the shape of a tile
  //                [tile:tile/no-member-of-tile]
  // right: for (int i = 0; i < 64; ++i)
    x = x + 1.0f;
  while (x != 0.0f)
  //     ^ error: tile<bool, 64> has 64 elements and cannot be a condition; reduce it with all_of or
  //       any_of, or choose between tiles with select [tile:tile_conversion/condition-of-many]
  // right: while (ct::any_of<0>(x != 0.0f))
    x = x - 1.0f;
  auto turned = x.T();
  //              ^ error: tile<float, 64> has no member 'T'; transpose(x) exchanges the dimensions
  //                [tile:tile/member-is-function]
  // right: auto turned = x;
  auto square = ct::reshape(x, 8, 8);
  //            ^ error: 'reshape' does not take tile<float, 64>, int, int; write reshape(x,
  //              shape<...>{}) [tile:general_principles/form]
  // right: auto square = ct::reshape(x, ct::shape<8, 8>{});
  auto block = ct::bid(0);
  //                   ^ error: 'bid' does not take an argument; write bid()
  //                [tile:general_principles/form]
  // right: auto block = ct::bid().x;
  auto blocks = ct::num_programs(0);
  //                ^ error: cuda::tiles has no 'num_programs'; num_blocks() gives the extents of
  //                the grid [tile:header_and_namespace/no-name]
  // right: auto blocks = ct::num_blocks().x;
  printf("%d\n");
  //     ^ error: the format has 1 conversions, and there are 0 arguments
  //       [tile:output/printf-arguments]
  // right: printf("%d\n", n);
}
