// accept: pointers to volatile as parameters
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(volatile int *out, const volatile int *in) {
  out[0] = in[1];
  out[0] = out[0] + in[0];
}
int main() {
  Buf<int> out(8), in({1, 2});
  k<<<1, 1>>>(out, in);
  ran();
  out.print("out");
  return probe_bad;
}
