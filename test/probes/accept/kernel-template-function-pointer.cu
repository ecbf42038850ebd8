// accept: the address of a tile function is a template argument of a kernel
#include <cuda_tile.h>
#include "../probe.h"
__tile__ int twice(int x) { return 2 * x; }
template <int (*F)(int)> __tile_global__ void k(int *out) { out[0] = F(21); }
int main() {
  Buf<int> out(1);
  k<twice><<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
