// ct::same_as was missing, <cuda_tf32.h> was not seen by __has_include.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

#if !__has_include(<cuda_tf32.h>)
#error "no tf32"
#endif
#include <cuda_tf32.h>
template <class T> __tile_global__ void k(int *p) { p[0] = ct::same_as<T, int> ? 1 : 2; }

int main() {
  run::array<int> x(2);
  k<int><<<1, 1>>>(x);
  k<float><<<1, 1>>>(x + 1);
  run::expect("x", x, [](auto i) { return i + 1; });
  return run::finish();
}
