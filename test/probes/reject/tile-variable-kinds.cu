// reject: tile variables of every storage: static, inline, constant, in namespaces
#include <cuda_tile.h>
#include "../probe.h"
__tile__ int a = 1;
static __tile__ int b = 2;
inline __tile__ int c = 3;
__tile__ const int d = 4;
__tile__ constexpr int e = 5;
namespace n {
__tile__ int f = 6;
namespace {
__tile__ int g = 7;
}
} // namespace n
__tile_global__ void k(int *out) {
  out[0] = a + b + c + d + e + n::f + n::g;
  a = 10;
  out[1] = a;
  n::g += 1;
  out[2] = n::g;
}
int main() {
  Buf<int> out(3);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
