// [tile:tile] Habits of Triton and NumPy, and of hurried hands.
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
using numbers = ct::tile<int, ct::shape<64>>;

__tile_global__ void shapes(float *p, int n) {
  ct::tile<ct::shape<64>, float> swapped;
  //  ^ error: shape<64> is not an element type of tiles; elements are integers of 8 to 64 bits,
  //    floating-point types, and pointers to them and to void [tile:tile_element_type/no-element]
  // right: ct::tile<float, ct::shape<64>> swapped;
  ct::tile<float, 64> bare;
  //              ^ error: expected a type, but found a number; a tile has an element type and a
  //                shape, for example tile<float, shape<4, 8>> [tile:tile/shape-of-numbers]
  // right: ct::tile<float, ct::shape<64>> bare;
  ct::tile<float, ct::shape<n>> sized;
  //                        ^ error: the extent 'n' of a shape is known only at run time; an extent
  //                must be a constant, for instance a template parameter
  //                [tile:tile/extent-at-run-time]
  // right: ct::tile<float, ct::shape<64>> sized;
  auto odd = ct::zeros<ct::tile<float, ct::shape<48>>>();
  //                       ^ error: no tile has the shape 48: the extent 48 is not a power of two;
  //                the nearest are 32 and 64 [tile:tile/extent-of-shape]
  // right: auto odd = ct::zeros<ct::tile<float, ct::shape<64>>>();
  auto wide = ct::zeros<float, ct::shape<64>>();
  //          ^ error: 'zeros' takes the type of the result as its only template argument, but gets
  //            <float, shape<64>>; write zeros<ct::tile<float, ct::shape<64>>>
  //            [tile:tile_operations/made-of-parts]
  // fix: auto wide = ct::zeros<ct::tile<float, ct::shape<64>>>();
  auto counted = ct::iota<int>(64);
  //             ^ error: 'iota' does not take <int>(int); write iota<tile<...>>()
  //               [tile:general_principles/form]
  // right: auto counted = ct::iota<numbers>();
  auto filled = ct::full(ct::shape<64>{}, 1.0f);
  //            ^ error: 'full' does not take shape<64>, float; write full<tile<...>>(x)
  //              [tile:general_principles/form]
  // right: auto filled = ct::full<row>(1.0f);
  auto unqualified = zeros<row>();
  //                 ^ error: 'zeros' is a name of cuda::tiles; write ct::zeros
  //                [tile:header_and_namespace/not-qualified]
  // fix: auto unqualified = ct::zeros<row>();
}
template <int... Extents> __tile__ float sum_of(ct::tile<float, ct::shape<Extents...>> x) {
  return ct::sum(x);
  //     ^ error: 'sum' of tile<float, 64> names no dimension; write sum<0>(...)
  //       [tile:reductions_and_scans/reduction-without-dimension]
  // right: return static_cast<float>(ct::sum<0>(x));
}
__tile_global__ void packs(float *p) { p[0] = sum_of<64>(ct::zeros<row>()); }
//                                            ^ note: in sum_of<64>, called at tiles_of_others.cu:*
