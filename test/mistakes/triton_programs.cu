// [tile:header_and_namespace] A first kernel as Triton's programs have it.
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
using numbers = ct::tile<int, ct::shape<64>>;

__tile_global__ void programs(float *p, float *o, int n) {
  int place = ct::program_id(0);
  //          ^ error: cuda::tiles has no 'program_id'; bid() gives the block's index in the grid
  //            [tile:header_and_namespace/no-name]
  // right: int place = ct::bid().x;
  int steps = ct::cdiv(n, 64);
  //              ^ error: cuda::tiles has no 'cdiv'; ceildiv(x, y) divides and rounds up
  //                [tile:header_and_namespace/no-name]
  // right: int steps = ct::ceildiv(n, 64);
  auto at = n * 64 + ct::arange(0, 64);
  //                     ^ error: cuda::tiles has no 'arange'; iota<tile<int, shape<...>>>() counts
  //                [tile:header_and_namespace/no-name]
  // right: auto at = n * 64 + ct::iota<numbers>();
  auto offsets = int(ct::bid().x) * 64 + ct::iota<numbers>();
  auto x = ct::load_masked(p + offsets, offsets < n, 0.0f);
  auto none = ct::zeros<numbers>();
  auto y = ct::load_masked(p + offsets, offsets < n, none);
  //       ^ error: 'load_masked': int would narrow to float, the element type of tile<float *, 64>;
  //         write ct::element_cast<float>(none) [tile:memory_operations/value-narrows]
  // fix: auto y = ct::load_masked(p + offsets, offsets < n, ct::element_cast<float>(none));
  auto relu = ct::maximum(x, 0.0f);
  //          ^ error: cuda::tiles has no 'maximum'; max(x, y) takes the larger elements
  //            [tile:header_and_namespace/no-name]
  // right: auto relu = ct::max(x, 0.0f);
  auto gate = ct::sigmoid(x);
  //              ^ error: cuda::tiles has no 'sigmoid'; write 1.0f / (1.0f + exp(-x))
  //                [tile:header_and_namespace/no-name]
  // right: auto gate = 1.0f / (1.0f + ct::exp(-x));
  auto taken = offsets < n ? x : 0.0f;
  //           ^ error: tile<bool, 64> has 64 elements and cannot be a condition; reduce it with
  //             all_of or any_of, or choose between tiles with select
  //             [tile:tile_conversion/condition-of-many]
  // right: auto taken = ct::select(offsets < n, x, ct::zeros<row>());
  auto half = x.to<__half>();
  //            ^ error: tile<float, 64> has no member 'to'; element_cast<type>(x) converts elements
  //              [tile:tile/member-is-function]
  // right: auto half = ct::element_cast<__half>(x);
  auto cast = ct::astype<__half>(x);
  //          ^ error: cuda::tiles has no 'astype'; element_cast<type>(x) converts elements
  //            [tile:header_and_namespace/no-name]
  // right: auto cast = ct::element_cast<__half>(x);
  for (int k : ct::range(0, n, 64))
  //               ^ error: cuda::tiles has no 'range'; did you mean 'irange'?
  //                [tile:header_and_namespace/no-name]
  // right: for (int k : ct::irange(0, n, 64))
    n += k;
  for (int k : ct::static_range(0, 4))
  //               ^ error: cuda::tiles has no 'static_range'; irange(lower, upper) counts, and a
  //                loop with constant bounds is unrolled [tile:header_and_namespace/no-name]
  // right: for (int k : ct::irange(0, 4))
    n += k;
  ct::tile<ct::float32, ct::shape<64>> named;
  //           ^ error: cuda::tiles has no 'float32'; element types have C++ names, here float
  //             [tile:header_and_namespace/no-name]
  // right: ct::tile<float, ct::shape<64>> named;
  ct::store(o + offsets, x);
}
