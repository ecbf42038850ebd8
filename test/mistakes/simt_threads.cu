// [tile:spaces] A first tile kernel of those who write CUDA C++ for threads.
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
using numbers = ct::tile<int, ct::shape<64>>;

__tile_global__ void threads(const float *p, float *o, int n) {
  auto x = ct::load(p + ct::iota<numbers>());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  //      ^ error: tile code names 'blockIdx', but a tile block has no threads; use cuda::tiles::bid
  //        and num_blocks [tile:spaces/thread-variable]
  // right: int i = ct::bid().x;
  int place = ct::bid();
  //  ^ error: uint3 is not a number; it has the members x, y and z; write ct::bid().x
  //    [tile:launch/block-index-is-no-number]
  // fix: int place = ct::bid().x;
  int second = ct::bid()[1];
  //                    ^ error: uint3 is not a number; it has the members x, y and z; write
  //                ct::bid().x [tile:launch/block-index-is-no-number]
  // right: int second = ct::bid().y;
  float sum = 0;
  sum += x;
  //  ^ error: tile<float, 64> does not convert to float: the tile has 64 elements, and a scalar has
  //    one [tile:tile_conversion/tile-many-to-scalar]
  // right: sum = static_cast<float>(ct::sum<0>(x));
  o[n] = x;
  //     ^ error: tile<float, 64> does not convert to float: the tile has 64 elements, and a scalar
  //       has one [tile:tile_conversion/tile-many-to-scalar]
  // right: ct::store(o + ct::iota<numbers>(), x);
  atomicAdd(&o[0], ct::sum<0>(x));
//^ error: 'atomicAdd' of tile<float, 1>: functions of other libraries take no tiles
//  [tile:spaces/of-other-library]
  // right: ct::atomic_add(o, static_cast<float>(ct::sum<0>(x)), ct::memory_order_relaxed_t{});
  auto y = sqrtf(x);
  //       ^ error: 'sqrtf' of tile<float, 64>: functions of other libraries take no tiles; write
  //         ct::sqrt [tile:spaces/of-other-library]
  // right: auto y = ct::sqrt(x);
  auto z = __float2half(x);
  //       ^ error: '__float2half' of tile<float, 64>: functions of other libraries take no tiles
  //         [tile:spaces/of-other-library]
  // right: auto z = ct::element_cast<__half>(x);
  auto w = fmaf(x, x, x);
  //       ^ error: 'fmaf' of tile<float, 64>: functions of other libraries take no tiles; write
  //         ct::fma [tile:spaces/of-other-library]
  // right: auto w = ct::fma(x, x, x);
  auto v = (float4)x;
  //       ^ error: tile<float, 64> does not convert to float4
  //         [tile:tile_conversion/elements-convert]
  // right: auto v = x;
  x = __shfl_down_sync(~0u, x, 1);
  //  ^ error: '__shfl_down_sync' of tile<float, 64>: functions of other libraries take no tiles
  //    [tile:spaces/of-other-library]
  // right: x = ct::load(p + 1 + ct::iota<numbers>());
  x.y = 3;
 // ^ error: tile<float, 64> has no member 'y'; tile_element_t<T> and tile_shape_t<T> give the
 //   element type and the shape of a tile [tile:tile/no-member-of-tile]
  // right: x = x + 3.0f;
  if (ct::iota<numbers>() < n)
  //  ^ error: tile<bool, 64> has 64 elements and cannot be a condition; reduce it with all_of or
  //    any_of, or choose between tiles with select [tile:tile_conversion/condition-of-many]
  // right: if (n > 0)
    o[1] = sum;
  ct::syncthreads();
//^ error: cuda::tiles has no 'syncthreads'; a tile block is one logical thread and needs no barrier
//  [tile:header_and_namespace/no-name]
  return x;
//^ error: kernel 'threads' cannot return a value; store the result in memory
//  [tile:kernels/returned-value]
  // right: return;
}
template <int N> __tile_global__ void of_size(float *p) { p[0] = N; }
__tile_global__ void plain(float *p) { p[0] = 1; }
void launches(float *p, int n) {
  of_size<<<1, 1>>>(p);
//^ error: the launch of kernel 'of_size' does not determine the template argument 'N'; write
//  of_size<...><<<blocks, 1>>>(...) [tile:launch/launch-deduces]
  // right: of_size<8><<<1, 1>>>(p);
  of_size<n><<<1, 1>>>(p);
//^ error: the template argument 'N' of kernel 'of_size' is invalid; it must be a type, or a
//  compile-time constant of its type [tile:launch/launch-argument]
  // right: of_size<8><<<1, 1>>>(p);
  plain<<<n / 256, dim3(16, 16)>>>(p);
  //               ^ error: kernel 'plain' is launched with blocks of 256 threads; the block size of
  //                a tile kernel is 1 [tile:launch/launch-block]
  // right: plain<<<n / 256, 1>>>(p);
}
