// accept: a constexpr pointer to a string literal
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

constexpr const char *text = "abc";

__tile_global__ void k(int *out) { out[0] = text[1] == 'b'; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
