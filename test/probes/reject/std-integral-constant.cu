// reject: std::integral_constant objects
#include <type_traits>
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(int *out) {
  using c = std::integral_constant<int, 4>;
  out[0] = c::value;
  out[1] = c();
}
int main() {
  Buf<int> out(2);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
