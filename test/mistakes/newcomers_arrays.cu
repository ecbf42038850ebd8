// What comes of first days with tiles: tiles as arrays, and types where values stand.
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
using matrix = ct::tile<float, ct::shape<16, 64>>;
using numbers = ct::tile<int, ct::shape<64>>;

template <int N> __tile__ auto twice(ct::tile<float, ct::shape<N>> x) { return x + x; }
__tile__ row kept(row x) { return x; }

__tile_global__ void arrays(float *p, int n) {
  auto x = ct::load(p + ct::iota<numbers>());
  auto m = ct::full<matrix>(0.0f);
  float copy[64] = x;
  //    ^ error: tile<float, 64> does not convert to the array 'copy': a tile is one value; write
  //      auto copy = ... [tile:tile_conversion/array-of-tile]
  // right: auto copy = x;
  row rows[2] = x;
  //  ^ error: tile<float, 64> does not convert to the array 'rows': a tile is one value; write auto
  //    rows = ... [tile:tile_conversion/array-of-tile]
  // right: row rows[2] = {x, x};
  row y = p;
  //  ^ error: float * does not convert to tile<float, 64>; load(p + iota<tile<int, shape<...>>>())
  //    reads a tile [tile:tile_conversion/pointer-to-tile]
  // right: row y = ct::load(p + ct::iota<numbers>());
  auto z = kept(p);
  //       ^ error: float * does not convert to tile<float, 64>; load(p + iota<tile<int,
  //         shape<...>>>()) reads a tile [tile:tile_conversion/pointer-to-tile]
  // right: auto z = kept(ct::load(p + ct::iota<numbers>()));
  p = x;
  //  ^ error: tile<float, 64> does not convert to float *; store(p + iota<tile<int, shape<...>>>(),
  //    x) writes a tile [tile:tile_conversion/tile-to-pointer]
  // right: ct::store(p + ct::iota<numbers>(), x);
  float *at = p + ct::iota<numbers>();
  //     ^ error: tile<float *, 64> does not convert to float *: the tile has 64 elements, and a
  //       scalar has one [tile:tile_conversion/tile-many-to-scalar]
  // right: auto at = p + ct::iota<numbers>();
  auto doubled = twice(x);
  //             ^ error: 'twice' has a template parameter of type int for an extent of tile<float,
  //               64>, but extents have type size_t; write template <size_t N>, or give the
  //               argument, twice<...>(x) [tile:tile/deduced-extent]
  // right: auto doubled = twice<64>(x);
  auto shaped = ct::reshape(x, ct::shape<8, 8>);
  //                                          ^ error: expected a value, but found a type; write {}
  //                after it [tile:general_principles/type-as-argument]
  // fix: auto shaped = ct::reshape(x, ct::shape<8, 8>{});
  auto cast = ct::element_cast(x, float);
  //                                   ^ error: expected a value, but found a type; write it in
  //                angle brackets, for example element_cast<float>(x)
  //                [tile:general_principles/type-as-argument]
  // right: auto cast = ct::element_cast<float>(x);
}
