// accept: references as parameters and results of tile functions
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int &larger(int &a, int &b) { return a > b ? a : b; }
__tile__ void swap(int &a, int &b) {
  int c = a;
  a = b;
  b = c;
}

__tile_global__ void k(int *out) {
  int a = 3, b = 4;
  larger(a, b) = 9;
  swap(a, b);
  out[0] = a;
  out[1] = b;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
