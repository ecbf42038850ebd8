// [tile:tensor_span] Views of spans of another rank, spans of nothing, ranges of no integers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void views(float *p, int n, int *q) {
  auto span = ct::tensor_span{p, ct::extents{n, n}};
  auto a = ct::partition_view{span, ct::shape<8>{}};
  //       ^ error: 'partition_view': the span has rank 2 and the shape has rank 1
  //         [tile:partition_view/view-rank]
  // right: auto a = ct::partition_view{span, ct::shape<8, 8>{}};
  auto b = ct::partition_view{span, ct::shape<3, 4>{}};
  //       ^ error: no tile has the shape 3x4: the extent 3 is not a power of two; the nearest are 2
  //         and 4 [tile:tile/extent-of-shape]
  auto c = ct::partition_view{span, ct::shape<4, 4>{}, ct::dimension_map<1, 0>{}};
  //       ^ error: 'partition_view' cannot be made from these arguments; write partition_view{span,
  //         shape<...>{}} [tile:tensor_span/not-made-of]
  auto d = ct::strided_view{span, ct::shape<4, 4>{}, ct::shape<2, 2>{}};
  //       ^ error: 'strided_view' cannot be made from these arguments; write strided_view{span,
  //         shape<...>{}, strides<...>{}}, with positive strides of the span's index type
  //         [tile:tensor_span/not-made-of]
  auto m = ct::layout_strided_mapping{ct::extents{n, n}, ct::extents{n}};
  //       ^ error: 'layout_strided_mapping' of 2 extents and 1 strides; it takes one stride for
  //         each dimension [tile:tensor_span/stride-count]
  // right: auto m = ct::layout_strided_mapping{ct::extents{n, n}, ct::extents{n, 1}};
  ct::tensor_span<int, ct::shape<8>> e;
  //                                 ^ error: tensor_span<int, 8> cannot be made from these
  //                arguments; it takes a pointer, and the extents or a mapping
  //                [tile:tensor_span/span-construction]
  // right: ct::tensor_span e{q, ct::extents{8_ic}};
  ct::tensor_span<int, ct::shape<8>> f(q);
  //                                 ^ error: tensor_span<int, 8> cannot be made from these
  //                arguments; it takes a pointer, and the extents or a mapping
  //                [tile:tensor_span/span-construction]
}
__tile__ void ranges(int n, unsigned u, float f) {
  for (auto i : ct::irange(0.5f, 2.0f))
  //            ^ error: 'irange' of float: the arguments must be integers
  //              [tile:integral/no-integer]
  // right: for (auto i : ct::irange(0, 2))
    ;
  for (auto i : ct::irange(n, u))
  //            ^ error: 'irange' from int to unsigned int: both bounds must be integers, and one
  //              type must hold all values of the other; convert one of them
  //              [tile:irange/range-types]
  // right: for (auto i : ct::irange(n, static_cast<int>(u)))
    ;
  for (auto i : ct::irange(n))
  //            ^ error: 'irange' cannot be made from these arguments; write irange(lower, upper) or
  //              irange(lower, upper, step), of integers [tile:tensor_span/not-made-of]
    ;
  auto x = 0x10_ic;
  //           ^ error: a literal with _ic has decimal digits only [tile:_ic/literal-digits]
  // right: auto x = 16_ic;
}
