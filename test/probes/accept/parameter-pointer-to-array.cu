// accept: a pointer to an array as a parameter
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(int (*rows)[4], const int (*in)[2]) { rows[1][2] = in[1][1]; }
int main() {
  Buf<int> out(8), in({1, 2, 3, 4});
  k<<<1, 1>>>(reinterpret_cast<int (*)[4]>(out.d), reinterpret_cast<const int (*)[2]>(in.d));
  ran();
  out.print("out");
  return probe_bad;
}
