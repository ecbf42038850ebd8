// accept: members of a constexpr struct
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct S {
  int a;
  float b;
};
constexpr S s = {3, 1.5f};

__tile_global__ void k(int *out) { out[0] = s.a + int(s.b * 2); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
