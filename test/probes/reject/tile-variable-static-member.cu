// reject: static members that are tile variables
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct S {
  static __tile__ int a;
  static inline __tile__ int b = 4;
  static constexpr int c = 5;
};
__tile__ int S::a = 3;

__tile_global__ void k(int *out) {
  S::a += 1;
  out[0] = S::a + S::b + S::c;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
