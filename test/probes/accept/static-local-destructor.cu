// accept: a static local whose class has a destructor
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct S {
  int a = 3;
  __tile__ ~S() {}
};
__tile_global__ void k(int *out) {
  static S s;
  out[0] = s.a;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
