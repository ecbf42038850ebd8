// What nvcc provides by itself: no include at all, the toolkit's libraries, a macro of its own.
#ifndef __CUDACC_TILE__
#error "no tile language"
#endif
__tile_global__ void first(int *p) { p[0] = 7; }
#include "../run/run.h"
#include <cuda/std/array>
#include <cooperative_groups.h>

int main() {
  run::array<int> x(1);
  first<<<1>>>(x.device);
  run::expect("x", x, [](auto) { return 7; });
  return run::finish();
}
