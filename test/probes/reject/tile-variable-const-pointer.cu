// reject: a const tile variable that is a pointer
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ const char *const text = "abc";

__tile_global__ void k(int *out) { out[0] = text[0]; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
