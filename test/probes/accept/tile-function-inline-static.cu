// accept: tile functions that are inline, static, constexpr and consteval
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

inline __tile__ int a(int x) { return x + 1; }
static __tile__ int b(int x) { return x + 2; }
constexpr __tile__ int c(int x) { return x + 3; }
__tile__ static inline constexpr int d(int x) { return x + 4; }
consteval __tile__ int e(int x) { return x + 5; }

__tile_global__ void k(int *out) { out[0] = a(1) + b(2) + c(3) + d(4) + e(5); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
