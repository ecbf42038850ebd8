// A launch whose <<<...>>> comes from a macro: text that does not compile.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

template <int N> __tile_global__ void k(int *p, int n) { p[ct::bid().x] += N * n; }
#define LAUNCH(N, P) k<N><<<4, 1>>>(P, n)
#define G 4, 1

int main() {
  run::array<int> x(4);
  int n = 3;
  LAUNCH(5, x);
  k<7><<<G>>>(x, n);
  run::expect("x", x, [](auto) { return 36; });
  return run::finish();
}
