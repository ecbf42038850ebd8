// reject: a constexpr function of the host in a constant expression
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

constexpr int f(int x) { return x + 1; }
template <int N> struct number {
  static constexpr int value = N;
};

__tile_global__ void k(int *out) {
  constexpr int a = f(1);
  out[0] = a + number<f(3)>::value;
  static_assert(f(2) == 3);
  int array[f(4)] = {1, 2};
  out[1] = sizeof array;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
