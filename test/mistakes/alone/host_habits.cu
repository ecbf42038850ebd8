// [tile:spaces] Habits of host C++ in tile code.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cuda_tile.h>
#include <vector>

namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
using numbers = ct::tile<int, ct::shape<64>>;
__tile__ auto places() { return ct::iota<numbers>(); }

__tile_global__ void host(float *p, int n) {
  float m = std::max(p[0], p[1]);
  //        ^ error: tile code calls 'max', which is not a __tile__ function; write cuda::tiles::max
  //          [tile:spaces/call-of-other]
  // right: float m = ct::max(p[0], p[1]);
  std::sort(p, p + n);
//^ error: tile code calls 'sort', which is not a __tile__ function; --extensions allows it
//  [tile:spaces/call-of-other]
  // right: ;
  row x = ct::load(p + places());
  auto e = std::exp(x);
  //       ^ error: 'exp' of tile<float, 64>: functions of other libraries take no tiles; write
  //         ct::exp [tile:spaces/of-other-library]
  // right: auto e = ct::exp(x);
  auto f = expf(x);
  //       ^ error: 'expf' of tile<float, 64>: functions of other libraries take no tiles; write
  //         ct::exp [tile:spaces/of-other-library]
  // right: auto f = ct::exp(x);
  auto g = std::max(x, 0.0f);
  //       ^ error: 'max' of tile<float, 64>: functions of other libraries take no tiles; write
  //         ct::max [tile:spaces/of-other-library]
  // right: auto g = ct::max(x, 0.0f);
  float *q = new float[4];
  //         ^ error: new in tile code; tile code allocates no memory [tile:memory/allocation]
  // right: float *q = p;
  q = static_cast<float *>(malloc(n));
  //                       ^ error: tile code calls 'malloc', which is not a __tile__ function
  //                [tile:spaces/call-of-other]
  // right: q = p + n;
  fprintf(stderr, "%d\n", n);
//^ error: tile code calls 'fprintf', which is not a __tile__ function [tile:spaces/call-of-host]
  // right: printf("%d\n", n);
  __sync_fetch_and_add(&n, 1);
//^ error: '__sync_fetch_and_add_4' in tile code; this builtin is for SIMT code
//  [tile:functions/builtin]
  // right: n = n + 1;
}
__tile_global__ int returns(int *p) { return p[0] + places(); }
//              ^ error: a kernel returns int; a kernel must return void
//                [tile:kernels/kernel-result]
// right: __tile_global__ void returns(int *p) { p[0] = p[1]; }
__tile_global__ row returns_tile(float *p) { return ct::load(p + places()); }
//              ^ error: a kernel returns tile<float, 64>; a kernel must return void
//                [tile:kernels/kernel-result]
// right: __tile_global__ void returns_tile(float *p) { ct::store(p, 1.0f); }
__tile_global__ void takes_list(std::vector<float> v) {}
//                                                 ^ error: parameter 'v' of kernel 'takes_list' has
//                  class type 'vector<float, allocator<float>>'; pass scalars and pointers, and
//                  make the object in the kernel, or allow it by --extensions
//                  [tile:kernels/kernel-parameter-is-class]
// right: __tile_global__ void takes_list(const float *v) {}
__tile_global__ void takes_tile(row x) {}
//                                  ^ error: parameter 'x' of kernel 'takes_tile' has class type
//                  'tile<float, 64>'; pass scalars and pointers, and make the object in the kernel,
//                  or allow it by --extensions [tile:kernels/kernel-parameter-is-class]
// right: __tile_global__ void takes_tile(const float *x) {}
