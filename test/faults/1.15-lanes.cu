// A single element of a tile object's bytes.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

#include <cstring>
__tile_global__ void element(const float *p, float *o) {
  auto a = ct::load(p + ct::iota<ct::tile<int, ct::shape<64>>>());
  float one;
  std::memcpy(&one, reinterpret_cast<const char *>(&a) + 12, sizeof one);
  o[0] = one;
}

int main() {
  run::array<float> x(64, [](auto i) { return i; }), o(1);
  element<<<1, 1>>>(x, o);
  run::expect("o", o, [](auto) { return 3; });
  return run::finish();
}
