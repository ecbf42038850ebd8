// accept: const parameters, and parameters that the kernel changes
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(int *const out, const int n, int m) {
  m += n;
  out[0] = m;
}
int main() {
  Buf<int> out(1);
  k<<<1, 1>>>(out, 3, 4);
  ran();
  out.print("out");
  return probe_bad;
}
