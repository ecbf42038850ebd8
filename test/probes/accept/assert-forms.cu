// accept: assert with messages and commas
#include <cassert>
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(int *out) {
  assert(out && "a message");
  assert((out[0] == 0));
  static_assert(sizeof(int) == 4);
  out[0] = 1;
}
int main() {
  Buf<int> out(1);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
