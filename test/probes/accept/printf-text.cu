// accept: printf of characters, strings, pointers and percent signs
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k() {
  printf("%c%c %s %%\n", 'a', 'b', "text");
  printf("no arguments\n");
  printf("%d\n", printf("x\n") >= 0);
}
int main() {
  k<<<1, 1>>>();
  ran();
  return probe_bad;
}
