// Kernels of images that test/gpu/images/main.cpp and launch.py load: one with 192 KB of shared
// memory and 256 threads, and small ones.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// c = a * b
template <int M, int N, int K>
__tile_global__ void product(const float *a, const float *b, float *c) {
  auto from_a = ct::partition_view{ct::tensor_span{a, ct::shape<M, K>{}}, ct::shape<M, K>{}};
  auto from_b = ct::partition_view{ct::tensor_span{b, ct::shape<K, N>{}}, ct::shape<K, N>{}};
  auto to = ct::partition_view{ct::tensor_span{c, ct::shape<M, N>{}}, ct::shape<M, N>{}};
  auto zero = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  to.store(ct::mma(from_a.load(0, 0), from_b.load(0, 0), zero), 0, 0);
}
template __tile_global__ void product<256, 128, 128>(const float *, const float *, float *);

// out[i] = the block that owns i, 64 elements a block
extern "C" __tile_global__ void numbers(int *out) {
  auto lanes = ct::iota<ct::tile<int, ct::shape<64>>>();
  ct::store(out + (lanes + int(ct::bid().x) * 64), lanes * 0 + int(ct::bid().x));
}
