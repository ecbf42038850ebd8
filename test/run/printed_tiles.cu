// printf of tiles: elements in brackets, one pair for each dimension, each by the tile's
// conversion; a tile of rank 0 is printed as a scalar is. Scalars and tiles in one call.
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <class E, size_t... D> __tile__ auto counted(int from) {
  return ct::element_cast<E>(ct::iota<ct::tile<int, ct::shape<D...>>>() + from);
}

__tile_global__ void shapes(int n) {
  printf("%d: %3d|%d|%d%%\n", n, counted<int, 2, 4>(n), counted<int>(n), counted<int, 1>(n));
  printf("no scalar: %d and %d, text %s\n", counted<int, 1, 1>(n), counted<int, 2, 1, 2>(n), "end");
}

__tile_global__ void elements(int n, int *p) {
  printf("%.2f %.1f %.1f\n", counted<float, 2>(n), counted<double, 2>(n), counted<__half, 2>(n));
  printf("%.1f %.1f\n", counted<__nv_bfloat16, 2>(n), counted<__nv_fp8_e4m3, 4>(n));
  printf("%d %d %u %u\n", counted<bool, 2>(n - 7), counted<signed char, 2>(-n),
         counted<unsigned char, 2>(250), counted<unsigned short, 2>(65530));
  printf("%lld %llx %c\n", counted<long long, 2>(n) << 33, counted<unsigned long long, 2>(-n),
         counted<char, 4>('a'));
  auto pointers = p + counted<int, 2>(n);
  printf("%d\n", pointers == p + n);
  if (n == 7)
    printf("%d\n", counted<int, 64>(n) * counted<int, 64>(n));
}

int main() {
  run::array<int> p(16);
  shapes<<<1, 1>>>(7);
  elements<<<1, 1>>>(7, p.device);
  cudaDeviceSynchronize();
  printf("done\n");
}
