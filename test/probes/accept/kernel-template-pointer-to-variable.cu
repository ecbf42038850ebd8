// accept: the address of a tile variable is a template argument of a kernel
#include <cuda_tile.h>
#include "../probe.h"
__tile__ int value = 9;
template <int *P> __tile_global__ void k(int *out) { out[0] = *P; }
int main() {
  Buf<int> out(1);
  k<&value><<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
