// accept: a parameter of type nullptr_t
#include <cuda_tile.h>
#include "../probe.h"
#include <cstddef>
__tile_global__ void k(int *out, std::nullptr_t p) { out[0] = p == nullptr; }
int main() {
  Buf<int> out(1);
  k<<<1, 1>>>(out, nullptr);
  ran();
  out.print("out");
  return probe_bad;
}
