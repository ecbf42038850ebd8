// accept: default arguments of a kernel
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(int *out, int a = 3, float b = 0.5f) { out[0] = int(a / b); }
int main() {
  Buf<int> out(1);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
