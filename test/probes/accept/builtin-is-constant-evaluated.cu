// accept: __builtin_is_constant_evaluated
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ constexpr int f() { return __builtin_is_constant_evaluated() ? 1 : 2; }

__tile_global__ void k(int *out) {
  constexpr int a = f();
  int b = f();
  out[0] = a * 10 + b;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
