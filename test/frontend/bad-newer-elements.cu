// Elements of 4 bits and of an exponent alone are those of later GPUs; unused ones do no harm.
// RUN: not %tessera check %s 2>&1 | FileCheck %s
// RUN: %tessera check --arch=sm_100a %s
#include <cuda_fp4.h>
#include <cuda_fp8.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using I8 = ct::tile<int, ct::shape<8>>;

__tile_global__ void unused() {
  [[maybe_unused]] auto x = ct::ones<ct::tile<__nv_fp8_e8m0, ct::shape<8>>>();
}
// CHECK-NOT: error
__tile_global__ void k(float *p) {
  auto x = ct::load(p + ct::iota<I8>());
  // CHECK: bad-newer-elements.cu:[[#@LINE+1]]:{{.*}}: error: sm_90a has no elements of type '__nv_fp8_e8m0'; they need sm_100 or newer [tile:general_principles/newer-element]
  auto y = ct::element_cast<__nv_fp8_e8m0>(x);
  // CHECK: error: sm_90a has no elements of type '__nv_fp4_e2m1'
  auto z = ct::element_cast<__nv_fp4_e2m1>(x);
  ct::store(p + ct::iota<I8>(), ct::element_cast<float>(y) + ct::element_cast<float>(z));
}
int main() {}
