// [tile:tensor_span] Slips of those who have written tile kernels before.
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
using numbers = ct::tile<int, ct::shape<64>>;

__tile_global__ void spans(float *p, int n) {
  ct::tensor_span square(p, {n, n});
  //              ^ error: 'tensor_span' cannot be made from these arguments; write
  //                tensor_span{pointer, extents} or tensor_span{pointer, mapping}
  //                [tile:tensor_span/not-made-of]
  // right: ct::tensor_span square(p, ct::extents{n, n});
  ct::extents sizes{n, 64_ic};
  //                     ^ error: the literal _ic is in a namespace of its own; write using
  //                namespace ct::literals [tile:_ic/literal-not-named]
  // right: ct::extents<int, ct::dynamic_extent, 64> sizes{n};
  auto a = ct::tensor_span{p, ct::extents{n}};
  auto x = a.load(0);
  //         ^ error: tensor_span<float, ?> has no member 'load': it has extents() and mapping()
  //           [tile:tensor_span/no-member-of-span]
  // right: auto x = ct::partition_view{a, ct::shape<64>{}}.load(0);
  auto v = ct::partition_view{p, ct::shape<64>{}};
  //       ^ error: 'partition_view' cannot be made from these arguments; write partition_view{span,
  //         shape<...>{}} [tile:tensor_span/not-made-of]
  // right: auto v = ct::partition_view{a, ct::shape<64>{}};
  auto w = ct::partition_view{a, 64};
  //       ^ error: int is not a shape of a tile; write shape<...> with compile-time constants
  //         [tile:tile_compatible_shape/no-shape]
  // right: auto w = ct::partition_view{a, ct::shape<64>{}};
  auto u = ct::partition_view{a, row{}};
  //       ^ error: tile<float, 64> is not a shape of a tile; write shape<...> with compile-time
  //         constants [tile:tile_compatible_shape/no-shape]
  // right: auto u = ct::partition_view{a, ct::tile_shape_t<row>{}};
  auto s = ct::partition_view{a, ct::extents{64}};
  //       ^ error: extents<dynamic_extent> is not a shape of a tile; write shape<...> with
  //         compile-time constants [tile:tile_compatible_shape/no-shape]
  // right: auto s = ct::partition_view{a, ct::shape<64>{}};
  auto t = ct::partition_view{a, ct::shape<64>{}};
  auto twice = t.load(0).load(0);
  //                     ^ error: tile<float, 64> has no member 'load'; operations are functions;
  //                write load(pointers) [tile:tile/member-is-function]
  // right: auto twice = t.load(0);
  t.store(t.load(0) * 2.0, 0);
  //                ^ error: '*' of tile<float, 64> and double: the double would narrow to float,
  //                the element type of the tile; write 2.0f
  //                [tile:general_principles/scalar-narrows]
  // fix: t.store(t.load(0) * 2.0f, 0);
  t.store_masked(t.load(0), t.load(0) > 0.0f, 0);
 // ^ error: 'store_masked' of partition_view<float, 64> with 2 indices: the view has 1 dimension
 //   and takes one index for each [tile:partition_view/view-index-count]
  // right: t.store_masked(t.load(0), 0);
}
__tile_global__ void values(float *p, int n) {
  ct::tile<float> one;
  //  ^ error: a tile has an element type and a shape, for example tile<float, shape<4, 8>>
  //    [tile:tile/tile-arguments]
  // right: ct::tile<float, ct::shape<>> one;
  auto part = ct::extract<0>(ct::zeros<row>());
  //          ^ error: 'extract' does not take <0>(tile<float, 64>); write extract(x, shape<...>{},
  //            index...) [tile:general_principles/form]
  // right: auto part = ct::extract(ct::zeros<row>(), ct::shape<32>{}, 0);
  auto joined = ct::cat(ct::zeros<row>(), ct::zeros<row>());
  //            ^ error: 'cat' does not take tile<float, 64>, tile<float, 64>; write
  //              cat<dimension>(x, y) [tile:general_principles/form]
  // right: auto joined = ct::cat<0>(ct::zeros<row>(), ct::zeros<row>());
  auto cast = ct::element_cast<row>(ct::zeros<numbers>());
  //          ^ error: 'element_cast' of tile<int, 64> to tile<float, 64>: the template argument is
  //            the element type; write element_cast<float> [tile:tile_operations/cast-to-tile]
  // fix: auto cast = ct::element_cast<float>(ct::zeros<numbers>());
  auto counted = ct::iota<ct::shape<64>>();
  //             ^ error: 'iota' cannot make a shape<64>, which is neither a tile nor a number;
  //               write 'iota' with the type of the result [tile:tile_operations/made-of-no-tile]
  // right: auto counted = ct::iota<numbers>();
  auto matrix = ct::reshape<8, 8>(ct::zeros<row>());
  //            ^ error: 'reshape' does not take <8, 8>(tile<float, 64>); write reshape(x,
  //              shape<...>{}) [tile:general_principles/form]
  // right: auto matrix = ct::reshape(ct::zeros<row>(), ct::shape<8, 8>{});
  constexpr int rank = row::rank;
  //                   ^ error: tile<float, 64> has no member 'rank'; tile_element_t<T> and
  //                tile_shape_t<T> give the element type and the shape of a tile
  //                [tile:tile/no-member-of-tile]
  // right: constexpr int rank = ct::tile_shape_t<row>::rank();
  static_assert(row::size() == 64);
  //                 ^ error: tile<float, 64> has no member 'size'; tile_element_t<T> and
  //                tile_shape_t<T> give the element type and the shape of a tile
  //                [tile:tile/no-member-of-tile]
  // right: static_assert(ct::tile_shape_t<row>{}.extent(0) == 64);
}
