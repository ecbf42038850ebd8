// accept: float and double values are template arguments of a kernel
#include <cuda_tile.h>
#include "../probe.h"
template <float A, double B> __tile_global__ void k(double *out) {
  out[0] = A;
  out[1] = B;
}
int main() {
  Buf<double> out(2);
  k<0.1f, -1e-300><<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
