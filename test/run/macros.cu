// Macros of the program that have the names of what is written for it: of its own variables in
// kernels, of the runtime's functions, with parameters or without.
#define n3 third
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using row = ct::tile<int, ct::shape<16>>;

__tile_global__ void scaled(const int *in, int *out, int factor, int n3) {
  const auto places = ct::iota<row>();
  const auto values = ct::load(in + places);
  ct::store(out + 16 + ct::iota<ct::tile<int, ct::shape<1>>>(), ct::sum<0>(values));
  ct::store(out + places, values * factor + n3);
}

#define load(x) nothing
#define store 3
#define offset(i, j) ((i) * 16 + (j))
#define scalar float
#define barrier
#define splat(a, b, c, d) a
#define values 4
#define factor 5
#define tile_16 16
#define places in

int main() {
  run::array<int> given(offset(1, 0), [](auto i) { return i; }), got(offset(1, 1));
  scaled<<<1, 1>>>(given, got, 3, 7);
  run::expect("scaled", got, [](auto i) { return i == 16 ? 120 : 3 * i + 7; });
  return run::finish();
}
