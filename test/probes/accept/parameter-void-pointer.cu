// accept: void and const void pointers as parameters
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(void *out, const void *in) {
  static_cast<int *>(out)[0] = static_cast<const int *>(in)[1];
}
int main() {
  Buf<int> out({1, 2});
  k<<<1, 1>>>(out, out);
  ran();
  out.print("out");
  return probe_bad;
}
