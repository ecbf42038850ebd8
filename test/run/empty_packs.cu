// Kernels that take a pack, which may be empty: of parameters, of all of them, of values.
#include <cuda_tile.h>

#include <cstdio>
#include <cuda_runtime.h>

template <class... Ts> __tile_global__ void more(int *o, Ts... xs) { *o = (1 + ... + xs); }
template <class... Ts> __tile_global__ void all(Ts... xs) { ((*xs = 3), ...); }
template <int... N> __tile_global__ void values(int *o) { *o = (4 + ... + N); }

int main() {
  int *o;
  cudaMallocManaged(&o, 64);
  more<<<1, 1>>>(o);
  more<<<1, 1>>>(o + 1, 5);
  all<<<1, 1>>>(o + 2);
  all<<<1, 1>>>();
  values<><<<1, 1>>>(o + 3);
  values<1, 2><<<1, 1>>>(o + 4);
  cudaDeviceSynchronize();
  for (int i = 0; i < 5; i++)
    std::printf("%d ", o[i]);
  std::printf("\n");
}
