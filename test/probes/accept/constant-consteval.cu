// accept: consteval functions
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

consteval int f(int x) { return x * x; }
struct S {
  int v;
  consteval S(int x) : v(x + 1) {}
};

__tile_global__ void k(int *out) {
  out[0] = f(4);
  constexpr S s(3);
  out[1] = s.v;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
