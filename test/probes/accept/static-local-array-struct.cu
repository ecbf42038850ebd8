// accept: static locals that are arrays and structs
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct S {
  int a, b;
};

__tile_global__ void k(int *out) {
  static int a[3] = {1, 2, 3};
  static S s = {4, 5};
  a[1] += s.b;
  out[0] = a[1];
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
