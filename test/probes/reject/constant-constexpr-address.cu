// reject: the address of a constexpr variable of the host
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

constexpr int a = 3;
__tile__ int f(const int *p) { return *p; }

__tile_global__ void k(int *out) { out[0] = f(&a); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
