// accept: overloads of a kernel by parameter
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(int *out) { out[0] = 1; }
__tile_global__ void k(int *out, int n) { out[0] = n; }
__tile_global__ void k(float *out) { out[0] = 2.5f; }
int main() {
  Buf<int> a(1);
  Buf<float> b(1);
  k<<<1, 1>>>(a, 7);
  k<<<1, 1>>>(static_cast<float *>(b));
  ran();
  a.print("a");
  b.print("b");
  return probe_bad;
}
