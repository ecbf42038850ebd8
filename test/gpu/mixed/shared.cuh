// What the units of this program share: SIMT code of another unit, which is linked on the device,
// and a tile kernel template that both tile units instantiate.
#pragma once
#include <cuda_tile.h>

namespace ct = cuda::tiles;

extern __device__ int counter;      // simt.cu
__device__ int twice(int i);        // simt.cu
__global__ void count(int *result); // simt.cu

using lanes = ct::tile<int, ct::shape<64>>;

template <int N> __tile_global__ void add(int *p) {
  auto at = p + ct::iota<lanes>();
  ct::store(at, ct::load(at) + N);
}

void run_one(int *p);
void run_two(int *p);
