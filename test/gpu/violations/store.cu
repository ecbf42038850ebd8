// samples/vector_add.cu with one mistake: the last block stores what is behind the result.
#include <cuda_tile.h>

#include <cstdio>

namespace ct = cuda::tiles;

__tile_global__ void add(const float *a, const float *b, float *c, int n) {
  auto i = ct::iota<ct::tile<int, ct::shape<256>>>() + int(ct::bid().x) * 256;
  auto sum = ct::load_masked(a + i, i < n) + ct::load_masked(b + i, i < n);
  ct::store(c + i, sum);
}

int main() {
  const int n = 1000;
  float *a, *b, *c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
  cudaMemset(b, 0, n * sizeof(float));
  add<<<4, 1>>>(a, b, c, n);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
