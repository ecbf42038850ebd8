// accept: an object of a structural class is a template argument of a kernel
#include <cuda_tile.h>
#include "../probe.h"
struct config {
  int m, n;
};
template <config C> __tile_global__ void k(int *out) { out[0] = C.m * 10 + C.n; }
int main() {
  Buf<int> out(1);
  k<config{3, 4}><<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
