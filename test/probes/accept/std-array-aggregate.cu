// accept: std::array without its member functions
#include <array>
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(int *out) {
  std::array<int, 3> a = {1, 2, 3};
  out[0] = sizeof a;
}
int main() {
  Buf<int> out(1);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
