// [tile:tile_conversion] Tiles where scalars are wanted, and scalars where tiles are.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ int conditions(tile<float, 8> x, tile<bool, 4, 4> m, tile<int, 1> one) {
  if (x > 0.0f)
  //  ^ error: tile<bool, 8> has 8 elements and cannot be a condition; reduce it with all_of or
  //    any_of, or choose between tiles with select [tile:tile_conversion/condition-of-many]
  // right: if (ct::all_of<0>(x > 0.0f))
    return 1;
  while (m)
  //     ^ error: tile<bool, 4x4> has 16 elements and cannot be a condition; reduce it with all_of
  //       or any_of, or choose between tiles with select [tile:tile_conversion/condition-of-many]
    return 2;
  int n = m ? 1 : 2;
  //      ^ error: tile<bool, 4x4> has 16 elements and cannot be a condition; reduce it with all_of
  //        or any_of, or choose between tiles with select [tile:tile_conversion/condition-of-many]
  // right: int n = ct::any_of<0>(x > 0.0f) ? 1 : 2;
  bool b = one;
  //   ^ error: tile<int, 1> converts to bool only explicitly; write static_cast<bool>(one)
  //     [tile:tile_conversion/tile-to-scalar]
  // fix: bool b = static_cast<bool>(one);
  switch (one) {
//^ error: tile<int, 1> converts to int only explicitly; write static_cast<int>(one)
//  [tile:tile_conversion/tile-to-scalar]
  // fix: switch (static_cast<int>(one)) {
  default: return n;
  }
}
__tile__ float results(tile<float, 8> x) { return ct::sum<0>(x); }
//                                                ^ error: tile<float, 1> converts to float only
//                  explicitly; write static_cast<float>(ct::sum<0>(x))
//                  [tile:tile_conversion/tile-to-scalar]
// fix: __tile__ float results(tile<float, 8> x) { return static_cast<float>(ct::sum<0>(x)); }
__tile__ void scalars(tile<float, 8> x, tile<int> zero, tile<float, 2> two, float f) {
  int i = zero;
  //  ^ error: tile<int, shape<>> converts to int only explicitly; write static_cast<int>(zero)
  //    [tile:tile_conversion/tile-to-scalar]
  // fix: int i = static_cast<int>(zero);
  float g = two;
  //    ^ error: tile<float, 2> does not convert to float: the tile has 2 elements, and a scalar has
  //      one [tile:tile_conversion/tile-many-to-scalar]
  // right: auto g = two;
  auto h = float(two);
  //       ^ error: tile<float, 2> does not convert to float: the tile has 2 elements, and a scalar
  //         has one [tile:tile_conversion/tile-many-to-scalar]
  tile<float, 4> y = 1.0f;
  //             ^ error: float does not convert to tile<float, 4> implicitly; write
  //               ct::full<ct::tile<float, ct::shape<4>>>(1.0f)
  //               [tile:tile_conversion/scalar-to-tile]
  // fix: tile<float, 4> y = ct::full<ct::tile<float, ct::shape<4>>>(1.0f);
  x = 0.0f;
 // ^ error: float does not convert to tile<float, 8> implicitly; write ct::full<ct::tile<float,
 //   ct::shape<8>>>(0.0f) [tile:tile_conversion/scalar-to-tile]
  // fix: x = ct::full<ct::tile<float, ct::shape<8>>>(0.0f);
  tile<int, 8> list{1, 2, 3, 4};
  //           ^ error: tile<int, 8> cannot be made from a list of elements; full, iota, load and
  //             cat make tiles [tile:tile_conversion/tile-of-list]
  // right: auto list = ct::iota<tile<int, 8>>() + 1;
  tile<int> t = 2.5;
  //        ^ error: double does not convert to tile<int, shape<>> implicitly: double would narrow
  //          to int; write ct::element_cast<int>(2.5) [tile:tile_conversion/elements-narrow]
  // fix: tile<int> t = ct::element_cast<int>(2.5);
}
