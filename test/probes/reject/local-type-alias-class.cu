// reject: local classes, aliases and enumerations
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void k(int *out) {
  struct local {
    int a;
    int twice() const { return 2 * a; }
  };
  using number = local;
  enum { five = 5 };
  number l{five};
  out[0] = l.twice();
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
