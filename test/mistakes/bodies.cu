// [tile:spaces] Rules of tile code inside templates, of which the instance is named.
#include <cuda_tile.h>

namespace ct = cuda::tiles;

__device__ int simt(int x);
//             ^ note: 'simt' is declared here
template <class T, int N> __tile__ T helper(T x) {
  static T last;
  return simt(x) + N;
  //     ^ error: tile code calls 'simt', which is not a __tile__ function; --extensions allows it
  //       [tile:spaces/call-of-other]
  // right: return x + N;
}
template <int M, int N> __tile_global__ void matmul(int *p) {
  p[0] = threadIdx.x + M;
  //     ^ error: tile code names 'threadIdx', but a tile block has no threads; use cuda::tiles::bid
  //       and num_blocks [tile:spaces/thread-variable]
  p[1] = helper<int, N>(p[0]);
  //     ^ note: in helper<int, 64>, called at bodies.cu:*
}
void launch(int *p) {
  matmul<128, 64><<<1, 1>>>(p);
//^ note: in matmul<128, 64>, launched at bodies.cu:*
  matmul<64, 64><<<1, 1>>>(p);
}
