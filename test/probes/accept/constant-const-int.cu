// accept: const integers of namespaces, classes and functions
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

const int a = 3;
namespace n {
const long b = 4;
}
struct S {
  static const int c = 5;
  static constexpr int d = 6;
};
static const unsigned char e = 7;

__tile_global__ void k(int *out) {
  const int f = 8;
  out[0] = a + int(n::b) + S::c + S::d + e + f;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
