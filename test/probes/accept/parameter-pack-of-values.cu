// accept: a pack of values and pointers as parameters
#include <cuda_tile.h>
#include "../probe.h"
template <class... T> __tile_global__ void k(int *out, T... values) {
  out[0] = int((values + ... + 0));
  out[1] = int(sizeof...(values));
}
int main() {
  Buf<int> out(2);
  k<<<1, 1>>>(out, 1, 2.5, 'a', 4u);
  ran();
  out.print("out");
  return probe_bad;
}
