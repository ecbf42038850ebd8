// accept: kernels that are inline, static, or both
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

inline __tile_global__ void a(int *p) { p[1] = 2; }
static __tile_global__ void b(int *p) { p[1] = 2; }
static inline __tile_global__ void c(int *p) { p[1] = 2; }
__tile_global__ static void d(int *p) { p[1] = 2; }
__tile_global__ inline void e(int *p) { p[1] = 2; }

__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
