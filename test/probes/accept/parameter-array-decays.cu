// accept: parameters that are written as arrays
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(int out[], const int in[4], int rows[][2]) { out[0] = in[3] + rows[1][0]; }
int main() {
  Buf<int> out(8), in({1, 2, 3, 4});
  k<<<1, 1>>>(out, in, reinterpret_cast<int (*)[2]>(in.d));
  ran();
  out.print("out");
  return probe_bad;
}
