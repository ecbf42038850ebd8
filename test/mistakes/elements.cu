// [tile:tile_conversion] Tiles of other shapes and elements; a loop that changes a tile's type.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void tiles(tile<float, 8> x, tile<int, 8> i, tile<double, 8> d, tile<float, 2, 4> y,
                    tile<int *, 8> p, bool b) {
  tile<__half, 8> a = x;
  //              ^ error: tile<float, 8> does not convert to tile<__half, 8> implicitly: float
  //                would narrow to __half; write ct::element_cast<__half>(x)
  //                [tile:tile_conversion/elements-narrow]
  // fix: tile<__half, 8> a = ct::element_cast<__half>(x);
  tile<float, 8> e = i;
  //             ^ error: tile<int, 8> does not convert to tile<float, 8> implicitly: int would
  //               narrow to float; write ct::element_cast<float>(i)
  //               [tile:tile_conversion/elements-narrow]
  // fix: tile<float, 8> e = ct::element_cast<float>(i);
  tile<float, 2, 4> f = x;
  //                ^ error: tile<float, 8> does not convert to tile<float, 2x4>: the shapes differ;
  //                change the shape with reshape or broadcast [tile:tile_conversion/tile-shapes]
  // right: tile<float, 2, 4> f = ct::reshape(x, ct::shape<2, 4>{});
  x = d;
 // ^ error: tile<double, 8> does not convert to tile<float, 8> implicitly: double would narrow to
 //   float; write ct::element_cast<float>(d) [tile:tile_conversion/elements-narrow]
  // fix: x = ct::element_cast<float>(d);
  x = y;
 // ^ error: tile<float, 2x4> does not convert to tile<float, 8>: the shapes differ; change the
 //   shape with reshape or broadcast [tile:tile_conversion/tile-shapes]
  auto z = b ? x : i;
  //         ^ error: the branches of ?: are tile<float, 8> and tile<int, 8>; they must have the
  //           same type [tile:tile_conversion/branches]
  // right: auto z = b ? x : ct::element_cast<float>(i);
  tile<float *, 8> q = p;
  //               ^ error: tile<int *, 8> does not convert to tile<float *, 8>
  //                [tile:tile_conversion/elements-convert]
  // right: tile<float *, 8> q = ct::element_bitcast<float *>(p);
}

// A running maximum that was begun with the wrong elements.
template <int N> __tile_global__ void running(float *p) {
  auto most = ct::full<tile<__half, N>>(__half());
  for (int i : ct::irange(0, 4))
    most = ct::max(most, ct::load(p + ct::iota<tile<int, N>>()));
    //   ^ error: tile<float, 64> does not convert to tile<__half, 64> implicitly: float would
    //     narrow to __half; write ct::element_cast<__half>(...)
    //     [tile:tile_conversion/elements-narrow]
    // fix: most = ct::element_cast<__half>(ct::max(most, ct::load(p + ct::iota<tile<int, N>>())));
}
__tile__ void helper(tile<float, 8> x);
__tile__ void arguments(tile<int, 8> i, tile<float, 4> y, float f) {
  helper(i);
//^ error: tile<int, 8> does not convert to tile<float, 8> implicitly: int would narrow to float;
//  write ct::element_cast<float>(i) [tile:tile_conversion/elements-narrow]
  // fix: helper(ct::element_cast<float>(i));
  helper(y);
//^ error: tile<float, 4> does not convert to tile<float, 8>: the shapes differ; change the shape
//  with reshape or broadcast [tile:tile_conversion/tile-shapes]
  helper(f);
//^ error: float does not convert to tile<float, 8> implicitly; write ct::full<ct::tile<float,
//  ct::shape<8>>>(f) [tile:tile_conversion/scalar-to-tile]
  // fix: helper(ct::full<ct::tile<float, ct::shape<8>>>(f));
}
void launch(float *p) { running<64><<<1, 1>>>(p); }
//                      ^ note: in running<64>, launched at elements.cu:*
