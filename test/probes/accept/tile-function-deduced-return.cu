// accept: deduced return types of tile functions
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ auto f(int x) { return x * 0.5; }
__tile__ decltype(auto) g(int &x) { return (x); }
__tile__ auto h(bool b) {
  if (b)
    return 1;
  else
    return 2;
}

__tile_global__ void k(int *out) {
  int x = 5;
  g(x) = 8;
  out[0] = int(f(x) * 10) + h(true);
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
