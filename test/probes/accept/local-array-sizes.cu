// accept: arrays of one and several dimensions at run-time indices
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  int a[2][3] = {{1, 2, 3}, {4, 5, 6}};
  int i = out[0] + 1;
  a[i][2] += 10;
  out[0] = a[i][2] + a[0][i];
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
