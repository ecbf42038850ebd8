// reject: a constexpr function of the host calls a __tile__ function
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int g(int x) { return x; }
constexpr int f(int x) { return x > 3 ? x : g(x); }
__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
