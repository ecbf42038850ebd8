// accept: arrays by reference and by pointer
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

template <int N> __tile__ int sum(const int (&a)[N]) {
  int s = 0;
  for (int i = 0; i < N; i++)
    s += a[i];
  return s;
}
__tile__ void fill(int *a, int n) {
  for (int i = 0; i < n; i++)
    a[i] = i;
}

__tile_global__ void k(int *out) {
  int a[5];
  fill(a, 5);
  out[0] = sum(a);
  out[1] = sum({7, 8});
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
