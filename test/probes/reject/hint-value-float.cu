// reject: a hint whose value is a constant of floating point
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

constexpr float F = 2.0f;
[[cutile::hint(0, occupancy = F)]] __tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
