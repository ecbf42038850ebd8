// accept: constexpr floats and doubles
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

constexpr float a = 1.5f;
constexpr double b = 2.5;

__tile_global__ void k(int *out) { out[0] = int(a * 2 + b * 2); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
