// reject: std::array in tile code
#include <array>
#include <cuda_tile.h>
__tile_global__ void k(int *out) {
  std::array<int, 3> a = {1, 2, 3};
  out[0] = a[1];
}
int main() {}
