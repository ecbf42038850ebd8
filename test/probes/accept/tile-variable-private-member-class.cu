// accept: a tile variable of a class with private members
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

class C {
  int a = 4;

public:
  __tile__ int get() const { return a; }
};
__tile__ C c;

__tile_global__ void k(int *out) { out[0] = c.get(); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
