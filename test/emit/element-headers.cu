// Emitted text includes what defines its elements, also where the program does not.
// RUN: %tessera %s -o - | FileCheck %s
// RUN: %tessera run -O0 --target=emulate %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// CHECK-LABEL: int main()
// CHECK: {{^}}#include <cuda_fp8.h>
// CHECK-EMPTY:
// CHECK-NEXT: namespace tessera::kernels
__tile_global__ void k(float *o) {
  ct::tile<float, ct::shape<2>> one = ct::ones<ct::tile<__nv_fp8_e4m3, ct::shape<2>>>();
  ct::store(o + ct::iota<ct::tile<int, ct::shape<2>>>(), one);
}

int main() { return 0; }
