// printf of bytes: a GPU's own printf knows no length of a byte.
#include "run.h"
#include <cuda_tile.h>

__tile_global__ void print(int x) {
  printf("%hhd %hd %d%%hhd|%hhu %hhx %5hhi|\n", x, short(x), x, x, x, x);
}

int main() {
  print<<<1, 1>>>(300);
  run::require(cudaDeviceSynchronize());
  print<<<1, 1>>>(-3);
  run::require(cudaDeviceSynchronize());
}
