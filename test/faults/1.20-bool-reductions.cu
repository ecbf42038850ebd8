// reduce_max, reduce_min and max_element of bool: text that does not compile.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void truths(const int *x, int *o) {
  auto m = ct::load(x + ct::iota<ct::tile<int, ct::shape<64>>>()) > 3;
  o[0] = static_cast<bool>(ct::reduce_max<0>(m));
  o[1] = static_cast<bool>(ct::reduce_min<0>(m));
  o[2] = static_cast<int>(ct::max_element<0>(m));
}

int main() {
  run::array<int> x(64, [](auto i) { return i; }), o(3);
  truths<<<1, 1>>>(x, o);
  const int wanted[] = {1, 0, 4};
  run::expect("o", o, [&](auto i) { return wanted[i]; });
  return run::finish();
}
