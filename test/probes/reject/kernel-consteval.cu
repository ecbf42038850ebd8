// reject: a consteval kernel
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

consteval __tile_global__ void wrong(int *p) {}

__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
