// accept: printf of integers of every size
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k() {
  printf("%d %i %u %x %X %o\n", -1, 2, 3u, 255, 255, 8);
  printf("%hhd %hd %ld %lld %lu %llu\n", (signed char)-3, (short)-4, -5l, -6ll, 7ul, 8ull);
  printf("%5d|%-5d|%05d|%+d|% d|%#x\n", 42, 42, 42, 42, 42, 42);
}
int main() {
  k<<<1, 1>>>();
  ran();
  return probe_bad;
}
