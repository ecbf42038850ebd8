// [tile:header_and_namespace] Names of C's library, and of CUDA's: what there is instead, and
// nothing that would be refused next.
#include <cmath>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;

__tile__ void names(row x) {
  auto a = ct::round(x);
  //       ^ error: cuda::tiles has no 'round'; write floor(x + 0.5f), which rounds halves up
  //         [tile:header_and_namespace/no-name]
  // right: auto a = ct::floor(x + 0.5f);
  auto b = ct::erff(x);
  //       ^ error: cuda::tiles has no 'erff'; write tanh(x * (1.1283792f + 0.1009123f * x * x)),
  //         whose error is 0.0004 at most [tile:header_and_namespace/no-name]
  // right: auto b = ct::tanh(x * (1.1283792f + 0.1009123f * x * x));
  auto c = ct::__expf(x);
  //       ^ error: cuda::tiles has no '__expf'; did you mean 'exp'?
  //         [tile:header_and_namespace/no-name]
  // fix: auto c = ct::exp(x);
  auto d = ct::sqrtf(x);
  //       ^ error: cuda::tiles has no 'sqrtf'; did you mean 'sqrt'?
  //         [tile:header_and_namespace/no-name]
  // fix: auto d = ct::sqrt(x);
  auto e = ct::lgamma(x);
  //       ^ error: cuda::tiles has no 'lgamma' [tile:header_and_namespace/no-name]
  auto f = std::round(x);
  //       ^ error: 'round' of tile<float, 64>: functions of other libraries take no tiles; write
  //         floor(x + 0.5f), which rounds halves up [tile:spaces/of-other-library]
  // right: auto f = ct::floor(x + 0.5f);
  ct::printf("%f", x);
//^ error: cuda::tiles has no 'printf'; printf is in the global namespace, as in C
//  [tile:header_and_namespace/no-name]
  // right: printf("%f", x);
  ct::uint32_t g = 1;
//^ error: cuda::tiles has no 'uint32_t'; did you mean '::uint32_t'?
//  [tile:header_and_namespace/no-name]
  // fix: uint32_t g = 1;
}
