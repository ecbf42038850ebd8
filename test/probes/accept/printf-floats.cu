// accept: printf of floating-point numbers
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k() {
  printf("%f %e %g %.3f %8.2f|%-8.1f|\n", 1.5, 1.5, 1.5, 1.0f / 3, 2.5, 2.5);
  printf("%a %G %E\n", 1.0, 1e-10, 12345.678);
}
int main() {
  k<<<1, 1>>>();
  ran();
  return probe_bad;
}
