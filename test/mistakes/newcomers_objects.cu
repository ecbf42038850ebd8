// What comes of first days with tiles: template arguments where there are none, views as arrays.
#include <cuda_tile.h>

#include <algorithm>

namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
using matrix = ct::tile<float, ct::shape<16, 64>>;
using numbers = ct::tile<int, ct::shape<64>>;

__tile_global__ void objects(float *p, int n) {
  auto x = ct::load(p + ct::iota<numbers>());
  auto m = ct::full<matrix>(0.0f);
  auto full = ct::full<float, ct::shape<64>>(1.0f);
  //          ^ error: 'full' takes the type of the result as its only template argument, but gets
  //            <float, shape<64>>; write full<ct::tile<float, ct::shape<64>>>
  //            [tile:tile_operations/made-of-parts]
  // fix: auto full = ct::full<ct::tile<float, ct::shape<64>>>(1.0f);
  auto zeros = ct::zeros<float, ct::shape<64>>();
  //           ^ error: 'zeros' takes the type of the result as its only template argument, but gets
  //             <float, shape<64>>; write zeros<ct::tile<float, ct::shape<64>>>
  //             [tile:tile_operations/made-of-parts]
  // fix: auto zeros = ct::zeros<ct::tile<float, ct::shape<64>>>();
  auto steps = ct::iota<int, ct::shape<64>>();
  //           ^ error: 'iota' takes the type of the result as its only template argument, but gets
  //             <int, shape<64>>; write iota<ct::tile<int, ct::shape<64>>>
  //             [tile:tile_operations/made-of-parts]
  // fix: auto steps = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto sized = ct::zeros<float, 64>();
  //           ^ error: 'zeros' does not take <float, 64>; write zeros<tile<...>>()
  //             [tile:general_principles/form]
  // right: auto sized = ct::zeros<row>();
  auto pair = ct::reshape<8, 8>(x);
  //          ^ error: 'reshape' does not take <8, 8>(tile<float, 64>); write reshape(x,
  //            shape<...>{}) [tile:general_principles/form]
  auto lambda = [](row one) { return one; };
  auto other = lambda(m);
  //           ^ error: tile<float, 16x64> does not convert to tile<float, 64>: the shapes differ;
  //             change the shape with reshape or broadcast [tile:tile_conversion/tile-shapes]
  auto outside = std::max(x, x);
  //             ^ error: tile code calls 'max', which is not a __tile__ function; write
  //               cuda::tiles::max [tile:spaces/call-of-other]
  // right: auto outside = ct::max(x, x);
  auto span = ct::tensor_span(p, ct::extents(n));
  auto typed = ct::tensor_span<float>(p, ct::extents(n));
  //               ^ error: 'tensor_span' takes its template arguments from the arguments of its
  //                constructor; write tensor_span{pointer, extents} or tensor_span{pointer,
  //                mapping} [tile:tensor_span/class-arguments]
  // right: auto typed = ct::tensor_span(p, ct::extents(n));
  auto tiled = ct::partition_view<64>(span);
  //                              ^ error: 'partition_view' takes its template arguments from the
  //                arguments of its constructor; write partition_view{span, shape<...>{}}
  //                [tile:tensor_span/class-arguments]
  // right: auto tiled = ct::partition_view(span, ct::shape<64>{});
  auto view = ct::partition_view(span, ct::shape<64>{});
  auto called = view(0);
  //            ^ error: partition_view<float, 64> cannot be indexed or called; view.load(index...)
  //              and view.store(value, index...) access its tiles
  //              [tile:partition_view/view-subscript]
  // right: auto called = view.load(0);
  auto indexed = view[0];
  //                 ^ error: partition_view<float, 64> cannot be indexed or called;
  //                view.load(index...) and view.store(value, index...) access its tiles
  //                [tile:partition_view/view-subscript]
  // right: auto indexed = view.load(0);
  view.store(0, x);
  //   ^ error: 'store': the value tile<float, 64> must precede the indices
  //     [tile:partition_view/view-store-order]
  // fix: view.store(x, 0);
}
