// A tile of pointers to a local array, and a pointer to one or to other memory: refused but on a
// CPU.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using row = ct::tile<int, ct::shape<32>>;

__tile_global__ void reversed(const int *x, int n, int *o) {
  int a[32];
  for (int i = 0; i < 32; ++i)
    a[i] = x[i];
  auto places = ct::iota<row>();
  ct::store(a + places, ct::load(a + (31 - places)) + 1);
  int *p = n & 1 ? a : o + 32;
  p[n] = 100;
  ct::store(o + places, ct::load(a + places));
}

int main() {
  run::array<int> x(32, [](auto i) { return int(i); }), o(64);
  for (int n : {4, 5}) {
    reversed<<<1, 1>>>(x, n, o);
    run::expect("o", o, [&](auto i) {
      return i < 32 ? (n == 5 && i == 5 ? 100 : 32 - int(i)) : i == 36 ? 100 : 0;
    });
  }
  return run::finish();
}
