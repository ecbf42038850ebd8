// accept: std::printf in tile code
#include <cuda_tile.h>
#include <cstdio>
#include "../probe.h"
__tile_global__ void k() {
  std::printf("%d\n", 3);
  ::printf("%d\n", 4);
}
int main() {
  k<<<1, 1>>>();
  ran();
  return probe_bad;
}
