// Elements of e8m0 and e2m1 became char: a cast converted the byte.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

#include <cuda_fp4.h>
#include <cuda_fp8.h>
__tile_global__ void widen(const __nv_fp8_e8m0 *x, float *y) {
  auto i = ct::iota<ct::tile<int, ct::shape<16>>>();
  ct::store(y + i, ct::element_cast<float>(ct::load(x + i)));
}
__tile_global__ void narrow(const float *x, float *y) {
  auto i = ct::iota<ct::tile<int, ct::shape<16>>>();
  ct::store(y + i, ct::element_cast<float>(ct::element_cast<__nv_fp4_e2m1>(ct::load(x + i))));
}

int main() {
  run::array<unsigned char> x(16, [](auto i) { return 120 + i; });
  run::array<float> y(16), u(16, [](auto i) { return i / 4.0 - 2; }), v(16);
  widen<<<1, 1>>>((const __nv_fp8_e8m0 *)x.device, y);
  run::expect("e8m0", y, [](auto i) { return std::ldexp(1, int(i) - 7); });
  narrow<<<1, 1>>>(u, v);
  const double wanted[] = {-2, -2, -1.5, -1, -1, -1, -.5, 0, 0, 0, .5, 1, 1, 1, 1.5, 2};
  run::expect("e2m1", v, [&](auto i) { return wanted[i]; });
  return run::finish();
}
