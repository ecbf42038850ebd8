// accept: parameters whose types are auto
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(auto *out, auto n, auto... rest) { out[0] = n + (rest + ... + 0); }
int main() {
  Buf<int> out(1);
  k<<<1, 1>>>(static_cast<int *>(out), 3, 4, 5);
  ran();
  out.print("out");
  return probe_bad;
}
