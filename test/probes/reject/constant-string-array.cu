// reject: a constexpr array of characters
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

constexpr char text[] = "abc";

__tile_global__ void k(int *out) {
  out[0] = sizeof text;
  out[1] = text[1] == 'b';
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
