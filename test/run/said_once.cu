// A block prints once, though its rows exceed the registers of 16 warps: they stay together.
#include "run.h"

#include <cstdio>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <int R, int C> __tile_global__ void centred(const float *__restrict__ x,
                                                     float *__restrict__ y, int rows, int columns) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<R, C>{}};
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{rows, columns}}, ct::shape<R, C>{}};
  const int block = ct::bid().x;
  auto v = xs.load_masked(block, 0);
  std::printf("block %d\n", block);
  ys.store_masked(v - ct::sum<1>(v), block, 0);
}

int main() {
  run::array<float> x(60000, [](auto i) { return run::small(i); }), y(x.size);
  centred<2, 32768><<<1, 1>>>(x, y, 2, 30000);
  run::require(cudaDeviceSynchronize());
  centred<1, 65536><<<1, 1>>>(x, y, 1, 60000);
  run::require(cudaDeviceSynchronize());
}
