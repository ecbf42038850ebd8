// reject: a hint whose value names a member that a class has not
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct S {
  static constexpr int v = 2;
};
[[cutile::hint(0, occupancy = S::w)]] __tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
