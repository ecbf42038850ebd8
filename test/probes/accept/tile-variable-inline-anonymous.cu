// accept: an inline tile variable of an unnamed namespace
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

namespace {
inline __tile__ int a = 3;
}

__tile_global__ void k(int *out) { out[0] = a; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
