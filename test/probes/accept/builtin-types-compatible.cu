// accept: type traits that are builtins
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  out[0] = __is_same(int, int) + __is_trivially_copyable(float) + __is_enum(int) +
           __is_base_of(int, int);
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
