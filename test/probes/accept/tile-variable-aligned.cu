// accept: an aligned tile variable
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

alignas(64) __tile__ int a[4] = {1, 2, 3, 4};

__tile_global__ void k(int *out) {
  out[0] = reinterpret_cast<unsigned long long>(a) % 64 == 0;
  out[1] = a[2];
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
