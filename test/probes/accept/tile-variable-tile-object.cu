// accept: a tile variable that is a tile
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ ct::tile<int, ct::shape<4>> a;

__tile_global__ void k(int *out) { out[0] = int(ct::sum<0>(a)); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
