// accept: nullptr and long, char, bool values are template arguments of a kernel
#include <cuda_tile.h>
#include "../probe.h"
template <auto A, long B, char C, bool D, unsigned char E> __tile_global__ void k(int *out) {
  out[0] = (A == nullptr) + B + C + D + E;
}
int main() {
  Buf<int> out(1);
  k<nullptr, -5L, 'a', true, 255><<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
