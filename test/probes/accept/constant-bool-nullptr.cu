// accept: constexpr bool and nullptr
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

constexpr bool yes = true;
constexpr decltype(nullptr) none = nullptr;
constexpr int *no = nullptr;

__tile_global__ void k(int *out) { out[0] = yes + (none == nullptr) + (no == nullptr); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
