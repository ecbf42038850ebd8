// reject: std::swap
#include <utility>
#include <cuda_tile.h>
__tile_global__ void k(int *out) {
  int a = 3, b = 4;
  std::swap(a, b);
  out[0] = a;
}
int main() {}
