// What comes of first days with tiles: members and functions of other languages.
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using matrix = ct::tile<float, ct::shape<16, 64>>;
using numbers = ct::tile<int, ct::shape<64>>;
using halves = ct::tile<__half, ct::shape<16, 64>>;

__tile_global__ void names(float *p, int n) {
  auto x = ct::load(p + ct::iota<numbers>());
  auto m = ct::full<matrix>(0.0f);
  auto a = ct::full<halves>(0.0f);
  auto flat = m.reshape(64);
  //            ^ error: tile<float, 16x64> has no member 'reshape'; operations are functions; write
  //              reshape(x, shape<...>{}) [tile:tile/member-is-function]
  // right: auto flat = ct::reshape(m, ct::shape<1024>{});
  auto sum = x.sum(0);
  //           ^ error: tile<float, 64> has no member 'sum'; operations are functions; write
  //             sum<dimension>(x) or sum(x, 0_ic) [tile:tile/member-is-function]
  // right: auto sum = ct::sum<0>(x);
  auto turned = m.T;
  //              ^ error: tile<float, 16x64> has no member 'T'; transpose(x) exchanges the
  //                dimensions [tile:tile/member-is-function]
  // right: auto turned = ct::transpose(m);
  auto wide = a.to<float>();
  //            ^ error: tile<__half, 16x64> has no member 'to'; element_cast<type>(x) converts
  //              elements [tile:tile/member-is-function]
  // right: auto wide = ct::element_cast<float>(a);
  auto mean = ct::mean<0>(x);
  //          ^ error: cuda::tiles has no 'mean'; write sum<dimension>(x) / extent
  //            [tile:header_and_namespace/no-name]
  // right: auto mean = ct::sum<0>(x) / 64.0f;
  auto soft = ct::softmax<0>(x);
  //              ^ error: cuda::tiles has no 'softmax'; write e = exp(x - reduce_max<0>(x)), and e
  //                / sum<0>(e) [tile:header_and_namespace/no-name]
  auto most = ct::argmax<0>(x);
  //              ^ error: cuda::tiles has no 'argmax'; max_element<dimension>(x) gives the indices
  //                of the largest elements [tile:header_and_namespace/no-name]
  // right: auto most = ct::max_element<0>(x);
  auto relu = ct::relu(x);
  //          ^ error: cuda::tiles has no 'relu'; write max(x, 0.0f)
  //            [tile:header_and_namespace/no-name]
  auto counted = ct::arange<64>();
  //                 ^ error: cuda::tiles has no 'arange'; iota<tile<int, shape<...>>>() counts
  //                [tile:header_and_namespace/no-name]
  // right: auto counted = ct::iota<numbers>();
  ct::print(x);
  //  ^ error: cuda::tiles has no 'print'; printf prints tiles, and applies the conversion to each
  //    element [tile:header_and_namespace/no-name]
  ct::store(p + ct::iota<numbers>(), x);
}
