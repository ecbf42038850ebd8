// Parameters, variables and macros of the program that are called as something of the runtime or of
// the text: they mean what the program says, and nothing in what is written for it.
#define run(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)
#define T int
#define N 4
#define min(a, b) ((a) < (b) ? (a) : (b))
#define A 1
#define launch(x) x
#define host 7
#define tessera 9
#define configure 10
#define kernels 11
#define value 12
#define thread_index 13
#include <cuda_tile.h>

#include <cstdio>
#include <cuda_runtime.h>
#define size 3
#define data 4
#define kernel_registration 5
#define apart_registration 6
#define fragment 4
#define store_once 5
namespace ct = cuda::tiles;
#define tiles 5
#define cuda 6

using eight = ct::tile<T, ct::shape<8>>;

__tile_global__ void apart(T *o, T coarsened_grid, T warp_index, T copy_async_if, T variables) {
  const auto words = ct::iota<eight>();
  auto load = words + coarsened_grid + warp_index + copy_async_if + variables + min(N, host);
  for (T barrier = 0; barrier < coarsened_grid + 2; ++barrier) {
    auto shared_memory = ct::load(o + words);
    load = load + shared_memory + barrier;
  }
  ct::store(o + words, load);
}
__tile_global__ void(run)(T *o) { *o = tessera + value; }
__tile_global__ void mask_map(T *mask_map) { *mask_map = A; }

int main() {
  int *o;
  cudaMallocManaged(&o, 64);
  apart<<<1, 1>>>(o, 1, 2, 3, 4);
  (run)<<<1, 1>>>(o + 1);
  run(mask_map, o + 2);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; i++)
    std::printf("%d ", o[i]);
  std::printf("\n");
}
