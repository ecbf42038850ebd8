// [tile:memory_operations] Memory and loops as others have them.
#include <cstdio>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
using numbers = ct::tile<int, ct::shape<64>>;
__tile__ auto places() { return ct::iota<numbers>(); }

__tile_global__ void memory(float *p, int n) {
  row x = ct::load(p);
  //  ^ error: float does not become tile<float, 64> by itself; write ct::full<ct::tile<float,
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
//^ error: 'store' through tile<float, 64>, which is no pointer to numbers
//  [tile:memory_operations/no-pointers]
  // right: ct::store(p + places(), x);
  ct::store(p + places(), x, places() < n);
//^ error: 'store' does not take tile<float *, 64>, tile<float, 64>, tile<bool, 64>; write
//  store(pointers, value) [tile:general_principles/form]
  // right: ct::store_masked(p + places(), x, places() < n);
  ct::store(n + places(), x);
//^ error: 'store' through tile<int, 64>, which is no pointer to numbers
//  [tile:memory_operations/no-pointers]
  // right: ct::store(p + n + places(), x);
  p[places()] = 1.0f;
// ^ error: float * is indexed by something else than a number; load(p + i) and store(p + i, x) go
//   through a tile of pointers [tile:memory_operations/pointer-subscript]
  // right: ct::store(p + places(), ct::full<row>(1.0f));
  float first = x[0];
  //             ^ error: tile<float, 64> has no elements to index: a tile is one value; extract
  //               takes a part of it [tile:tile/tile-subscript]
  // right: float first = static_cast<float>(ct::extract(x, ct::shape<1>{}, 0));
  row w = ct::load(p + places());
  for (float v : w)
  //           ^ error: tile<float, 64> has no elements to go through: a tile is one value; its
  //             operations are of all elements, and extract takes a part of it
  //             [tile:tile/tile-range]
  // right: for (int v = 0; v < n; ++v)
    n += 1;
  for (int i = 0; i < x.size(); ++i)
  //                    ^ error: tile<float, 64> has no member 'size': what is known of a tile is in
  //                its type, tile_element_t<T> and tile_shape_t<T> [tile:tile/no-member-of-tile]
  // right: for (int i = 0; i < 64; ++i)
    x = x + 1.0f;
  while (x != 0.0f)
  //     ^ error: tile<bool, 64> as a condition has 64 elements; take all_of or any_of of them, or
  //       choose between tiles with select [tile:tile_conversion/condition-of-many]
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
