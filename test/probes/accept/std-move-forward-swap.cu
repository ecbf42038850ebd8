// accept: std::move, std::forward and std::swap
#include <utility>
#include <cuda_tile.h>
#include "../probe.h"
template <class T> __tile__ int f(T &&x) { return std::forward<T>(x) + 1; }
__tile_global__ void k(int *out) {
  int a = 3;
  out[0] = f(std::move(a));
}
int main() {
  Buf<int> out(1);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
