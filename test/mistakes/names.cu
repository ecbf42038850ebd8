// [tile:header_and_namespace] Names of other languages; functions and variables of the host.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

int counter;
void host();
int rounded(float x) { return x; }

__tile_global__ void other(float *p) {}
__tile__ void names(tile<bool, 8> m, tile<int, 8> x, int *p) {
  auto a = ct::where(m, x, x);
  //           ^ error: cuda::tiles has no 'where'; select(condition, x, y) chooses between tiles
  //             [tile:header_and_namespace/no-name]
  auto b = ct::arange(8);
  //           ^ error: cuda::tiles has no 'arange'; iota<tile<int, shape<...>>>() counts
  //             [tile:header_and_namespace/no-name]
  auto c = ct::softmax(x);
  //           ^ error: cuda::tiles has no 'softmax'; write e = exp(x - reduce_max<0>(x)), and e /
  //             sum<0>(e) [tile:header_and_namespace/no-name]
  ct::atomic_add(p, 1, ct::memory_order_relaxed_t{}, ct::thread_scope_cluster_t{});
  //                                                     ^ error: cuda::tiles has no
  //                'thread_scope_cluster_t'; the scopes are block, device and system
  //                [tile:header_and_namespace/no-name]
  ct::atomic_add(p, 1, ct::memory_order_seq_cst_t{});
  //                       ^ error: cuda::tiles has no 'memory_order_seq_cst_t'; the orders are
  //                relaxed, acquire, release and acq_rel [tile:header_and_namespace/no-name]
}
__tile_global__ void spaces(float *p) {
  counter = 1;
//^ error: tile code names 'counter', which is a variable of the host [tile:spaces/variable-of-host]
  // right: static int own = 1;
  host();
//^ error: tile code calls 'host', which is not a __tile__ function [tile:spaces/call-of-host]
  // right: ;
  p[0] = rounded(2.5f);
  //     ^ error: tile code calls 'rounded', which is not a __tile__ function
  //       [tile:spaces/call-of-host]
  other<<<1, 1>>>(p);
  //   ^ error: tile code launches a kernel; kernels are launched by the host
  //     [tile:launch/launch-in-tile-code]
  // right: p[0] = 1.0f;
}
__tile_global__ int returns(float *p) { return 0; }
//              ^ error: a kernel returns int; a kernel must return void
//                [tile:kernels/kernel-result]
// right: __tile_global__ void returns(float *p) { p[0] = 0.0f; }
void calls(float *p) { other(p); }
//                          ^ error: kernel 'other' is called; the host launches it,
//                  other<<<blocks>>>(...) [tile:launch/kernel-is-called]
// right: void calls(float *p) { other<<<1, 1>>>(p); }

__device__ void launches(float *p) { other<<<1, 1>>>(p); }
//                                        ^ error: device code launches a kernel; kernels are
//                  launched by the host, and SIMT kernels also by relocatable device code
//                  (-fgpu-rdc) [tile:launch/launch-in-device-code]
// right: void launches(float *p) { other<<<1, 1>>>(p); }

__tile_global__ __device__ void both(float *p) {}
//              ^ error: a function cannot be both __tile_global__ and __device__; it is a kernel of
//                tile code, a kernel of SIMT code, or neither [tile:specifiers/specifiers]
// right: __tile_global__ void both(float *p) {}
__host__ __tile_global__ void hosts(float *p) {}
//       ^ error: a function cannot be both __host__ and __tile_global__; it is a kernel of tile
//         code, a kernel of SIMT code, or neither [tile:specifiers/specifiers]
__tile__ __tile_global__ void tiles(float *p) {}
//       ^ error: a function cannot be both __tile__ and __tile_global__; it is a kernel of tile
//         code, a kernel of SIMT code, or neither [tile:specifiers/specifiers]
