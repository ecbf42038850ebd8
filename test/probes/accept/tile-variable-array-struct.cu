// accept: tile variables that are arrays and structs
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct S {
  int a;
  float f[2];
};
__tile__ S s = {3, {0.5f, 1.5f}};
__tile__ int table[4] = {1, 2, 3};
__tile__ int matrix[2][2] = {{1, 2}, {3, 4}};

__tile_global__ void k(int *out) {
  table[3] = s.a;
  out[0] = table[3] + table[1];
  out[1] = int(s.f[1] * 2) + matrix[1][0];
  s.f[0] = 8;
  out[2] = int(s.f[0]);
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
