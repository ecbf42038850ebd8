// fma of halves rounded twice: just above the middle of two halves.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void fused(const __half *x, float *y) {
  auto i = ct::iota<ct::tile<int, ct::shape<16>>>() * 0;
  auto result = ct::fma(ct::load(x + i), ct::load(x + 1 + i), ct::load(x + 2 + i));
  ct::store(y + ct::iota<ct::tile<int, ct::shape<16>>>(), ct::element_cast<float>(result));
}

int main() {
  run::array<__half> x(3, [](auto i) {
    return i == 0 ? 683. / 512 : i == 1 ? 0.75 : std::ldexp(1, -24);
  });
  run::array<float> y(16);
  fused<<<1, 1>>>(x, y);
  run::expect("fma", y, [](auto) { return 1 + 1. / 1024; }, 0);
  return run::finish();
}
