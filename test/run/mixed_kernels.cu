// SIMT and tile kernels side by side in one file, on one stream; they share a type, a constant and
// the data.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int block_size = 64;

__tile_global__ void tile_squares(float *x) {
  auto lane = ct::iota<ct::tile<int, ct::shape<block_size>>>() + int(ct::bid().x) * block_size;
  auto value = ct::load(x + lane);
  ct::store(x + lane, value * value);
}

// The sum of each block, by a tree in shared memory.
__global__ void simt_sums(const float *x, float *sums) {
  __shared__ float partial[block_size];
  int thread = threadIdx.x;
  partial[thread] = x[blockIdx.x * block_size + thread];
  for (int step = block_size / 2; step; step /= 2) {
    __syncthreads();
    if (thread < step)
      partial[thread] += partial[thread + step];
  }
  if (thread == 0)
    sums[blockIdx.x] = partial[0];
}

// Reverses each block of x, through shared memory of a size that the launch gives.
template <class T> __global__ void simt_reverse(T *x) {
  extern __shared__ T kept[];
  T *block = x + blockIdx.x * blockDim.x;
  kept[threadIdx.x] = block[threadIdx.x];
  __syncthreads();
  block[threadIdx.x] = kept[blockDim.x - 1 - threadIdx.x];
}

int main() {
  run::array<float> x(4 * block_size, [](auto i) { return run::small(i); }), sums(4);
  tile_squares<<<4, 1>>>(x);
  simt_sums<<<4, block_size>>>(x, sums);
  tile_squares<<<4, 1>>>(x);
  run::expect("sums", sums, [&](auto i) {
    double sum = 0;
    for (int k = 0; k < block_size; ++k)
      sum += std::pow(run::small(i * block_size + k), 2);
    return sum;
  });
  run::expect("fourth powers", x, [](auto i) { return std::pow(run::small(i), 4); });
  simt_reverse<<<dim3(4), dim3(block_size), block_size * sizeof(float)>>>(x.device);
  run::expect("reversed", x, [](auto i) {
    return std::pow(run::small(i / block_size * block_size + block_size - 1 - i % block_size), 4);
  });
  // Both kinds through one pointer type.
  for (void (*kernel)(float *) : {tile_squares, simt_reverse<float>})
    kernel<<<4, kernel == tile_squares ? 1 : block_size, block_size * sizeof(float)>>>(x);
  run::expect("through pointers", x, [](auto i) { return std::pow(run::small(i), 8); });
  return run::finish();
}
