// [tile:tile_operations] Shapes that fit each other; pieces and their indices; maps of dimensions.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void shapes(tile<int, 8> x, tile<int, 4, 8> y, tile<float, 8> f, tile<int, 4> z) {
  auto x1 = ct::reshape(x, ct::shape<4, 4>{});
  //        ^ error: 'reshape' of tile<int, 8> to 4x4: a tile of 8 elements cannot have a shape of
  //          16 elements [tile:tile_operations/reshape-size]
  // right: auto x1 = ct::reshape(x, ct::shape<2, 4>{});
  auto x2 = ct::reshape<ct::shape<2>>(x);
  //        ^ error: 'reshape' of tile<int, 8> to 2: a tile of 8 elements cannot have a shape of 2
  //          elements [tile:tile_operations/reshape-size]
  auto x3 = ct::broadcast(y, ct::shape<8, 8>{});
  //        ^ error: 'broadcast': tile<int, 4x8> does not broadcast to the shape 8x8; its extent 4
  //          along dimension 0 is neither 8 nor 1 [tile:general_principles/broadcast-to]
  auto x4 = ct::broadcast(y, ct::shape<8>{});
  //        ^ error: 'broadcast': tile<int, 4x8> does not broadcast to the shape 8, which has fewer
  //          dimensions [tile:general_principles/broadcast-to-fewer]
  // right: auto x4 = ct::broadcast(y, ct::shape<2, 4, 8>{});
  auto x5 = ct::permute(x, ct::dimension_map<1, 0>{});
  //        ^ error: 'permute' of tile<int, 8> by a map of 2 dimensions: the tile has 1 dimension
  //          [tile:tile_operations/permute-rank]
  // right: auto x5 = ct::permute(y, ct::dimension_map<1, 0>{});
  auto x6 = ct::cat<0>(x, f);
  //        ^ error: 'cat' of tile<int, 8> and tile<float, 8>: both tiles must have the same element
  //          type and the same shape [tile:tile_operations/cat-types]
  // right: auto x6 = ct::cat<0>(x, ct::element_cast<int>(f));
  auto x7 = ct::cat(x, z, 0_ic);
  //        ^ error: 'cat' of tile<int, 8> and tile<int, 4>: both tiles must have the same element
  //          type and the same shape [tile:tile_operations/cat-types]
  auto x8 = ct::cat<1>(x, x);
  //        ^ error: 'cat' of tile<int, 8> along dimension 1: the tile has only dimension 0
  //          [tile:general_principles/no-dimension]
  auto x9 = ct::reshape(x, ct::shape<3>{});
  //        ^ error: no tile has the shape 3: the extent 3 is not a power of two; the nearest are 2
  //          and 4 [tile:tile/extent-of-shape]
  auto x10 = ct::broadcast(3, ct::shape<6>{});
  //         ^ error: no tile has the shape 6: the extent 6 is not a power of two; the nearest are 4
  //           and 8 [tile:tile/extent-of-shape]
  auto x11 = ct::zeros<ct::tile<float, ct::shape<8, -1>>>();
  //                       ^ error: no tile has the shape 8x?: the extent -1 is not a power of two;
  //                the smallest is 1 [tile:tile/extent-of-shape]
}
__tile__ void sizes(tile<char, 1> x) { auto y = ct::broadcast(x, ct::shape<8192, 4096>{}); }
//                                              ^ error: a tile of shape 8192x4096 has more than
//                  16777216 elements [tile:tile/tile-too-large]
__tile__ void pieces(tile<int, 8> x, tile<int, 4, 8> y, tile<float, 2, 2> f, int i) {
  auto x1 = ct::extract(y, ct::shape<2>{}, i);
  //        ^ error: 'extract' of tile<int, 4x8> in pieces of shape 2: the tile has 2 dimensions,
  //          and the piece has 1 [tile:tile_operations/piece-rank]
  auto x2 = ct::extract(y, ct::shape<8, 8>{}, 0, 0);
  //        ^ error: 'extract' of tile<int, 4x8> in pieces of shape 8x8: along dimension 0 the
  //          extent of the piece is 8 and that of the tile is 4 [tile:tile_operations/piece-extent]
  // right: auto x2 = ct::extract(y, ct::shape<4, 4>{}, 0, 0);
  auto x3 = ct::extract(y, ct::shape<2, 2>{}, 0);
  //        ^ error: 'extract' of tile<int, 4x8> with 1 index: the tile has 2 dimensions and takes
  //          one index for each [tile:tile_operations/index-count]
  // right: auto x3 = ct::extract(y, ct::shape<2, 2>{}, 0, 0);
  auto x4 = ct::extract<ct::shape<2, 2>>(y, 0, 0);
  //        ^ error: 'extract' does not take <shape<2, 2>>(tile<int, 4x8>, int, int); write
  //          extract(x, shape<...>{}, index...) [tile:general_principles/form]
  auto x5 = ct::insert(y, x, 0, 0);
  //        ^ error: 'insert' of tile<int, 4x8> in pieces of shape 8: the tile has 2 dimensions, and
  //          the piece has 1 [tile:tile_operations/piece-rank]
  auto x6 = ct::insert(y, f, 0, 0);
  //        ^ error: 'insert': float would narrow to int, the element type of tile<int, 4x8>; write
  //          ct::element_cast<int>(f) [tile:memory_operations/value-narrows]
  // fix: auto x6 = ct::insert(y, ct::element_cast<int>(f), 0, 0);
}
