// reject: tile variables that are pointers to tile variables
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int a[3] = {4, 5, 6};
__tile__ int *p = &a[1];
__tile__ const char *text = "xyz";

__tile_global__ void k(int *out) {
  out[0] = *p + p[1];
  out[1] = text[2] == 'z';
  p = out;
  p[2] = 3;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
