// accept: std::initializer_list in tile code
#include <initializer_list>
#include <cuda_tile.h>
#include "../probe.h"
__tile__ int sum(std::initializer_list<int> l) {
  int s = 0;
  for (int x : l)
    s += x;
  return s + int(l.size());
}
__tile_global__ void k(int *out) {
  out[0] = sum({1, 2, 3});
  for (int x : {4, 5})
    out[1] += x;
}
int main() {
  Buf<int> out(2);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
