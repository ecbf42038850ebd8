// [tile:spaces] Habits of SIMT CUDA in tile code.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
__device__ int counter;
__constant__ float factor;
__shared__ float buffer[64];

__tile_global__ void threads(float *p, int n) {
  auto guarded = [=](int x) { return x + threadIdx.x; };
  //                                     ^ error: tile code names 'threadIdx', but a tile block has
  //                no threads; use cuda::tiles::bid and num_blocks [tile:spaces/thread-variable]
  // right: auto guarded = [=](int x) { return x + ct::bid().x; };
  int i = blockIdx.x * 64;
  //      ^ error: tile code names 'blockIdx', but a tile block has no threads; use cuda::tiles::bid
  //        and num_blocks [tile:spaces/thread-variable]
  // right: int i = ct::bid().x * 64;
  buffer[0] = 1.0f;
//^ error: tile code names the variable 'buffer', which is not a __tile__ variable
//  [tile:spaces/variable-of-other]
  // right: p[0] = 1.0f;
  __syncthreads();
//^ error: tile code calls '__syncthreads', which is not a __tile__ function; a tile block is one
//  logical thread and needs no barrier [tile:spaces/call-of-other]
  // right: ;
  __syncwarp();
//^ error: tile code calls '__syncwarp', which is not a __tile__ function; a tile block is one
//  logical thread and needs no barrier [tile:spaces/call-of-other]
  // right: ;
  __threadfence();
//^ error: tile code calls '__threadfence', which is not a __tile__ function; --extensions allows it
//  [tile:spaces/call-of-other]
  // right: ;
  n = __ballot_sync(~0u, n);
  //  ^ error: tile code calls '__ballot_sync', which is not a __tile__ function; --extensions
  //    allows it [tile:spaces/call-of-other]
  // right: n = n + 1;
  atomicAdd(p, 1.0f);
//^ error: tile code calls 'atomicAdd', which is not a __tile__ function; --extensions allows it
//  [tile:spaces/call-of-other]
  // right: ct::atomic_add(p, 1.0f, ct::memory_order_relaxed_t{});
  p[0] = __ldg(p + 1);
  //     ^ error: tile code calls '__ldg', which is not a __tile__ function; --extensions allows it
  //       [tile:spaces/call-of-other]
  // right: p[0] = p[1];
  counter = n;
//^ error: tile code names the variable 'counter', which is not a __tile__ variable
//  [tile:spaces/variable-of-other]
  // right: p[2] = static_cast<float>(n);
  p[1] = factor;
  //     ^ error: tile code names the variable 'factor', which is not a __tile__ variable
  //       [tile:spaces/variable-of-other]
  // right: p[1] = 2.0f;
  cooperative_groups::this_thread_block().sync();
//^ error: tile code calls 'sync', which is not a __tile__ function; --extensions allows it
//  [tile:spaces/call-of-other]
  // right: ;
  p[0] = __expf(p[1]);
  //     ^ error: tile code calls '__expf', which is not a __tile__ function; write cuda::tiles::exp
  //       [tile:spaces/call-of-other]
  // right: p[0] = ct::exp(p[1]);
  p[0] = clock64();
  //     ^ error: tile code calls 'clock64', which is not a __tile__ function; --extensions allows
  //       it [tile:spaces/call-of-other]
  // right: p[0] = 0.0f;
}
__tile_global__ void textures(float *p, cudaTextureObject_t t) {
  p[0] = tex1Dfetch<float>(t, 0);
  //     ^ error: tile code calls 'tex1Dfetch', which is not a __tile__ function; --extensions
  //       allows it [tile:spaces/call-of-other]
  // right: p[0] = p[1];
}
void launches(float *p, int n) {
  threads<<<1, 256>>>(p, n);
  //           ^ error: kernel 'threads' is launched with blocks of 256 threads; the block size of a
  //             tile kernel is 1 [tile:launch/launch-block]
  // right: threads<<<1, 1>>>(p, n);
}
