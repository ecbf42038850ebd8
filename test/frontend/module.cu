// What raising gets: the kernels only, everything inlined, tiles as values; a local array that a
// constant loop indexes is gone.
// RUN: %tessera --dump=llvm --target=cpu %s | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using F8 = ct::tile<float, ct::shape<8>>;

__tile__ F8 twice(F8 x) { return x + x; }
__device__ int unrelated(int x) { return x; }

// CHECK-NOT: alloca
// CHECK: define {{.*}}@_Z1kPf
// CHECK-NOT: alloca
// CHECK-NOT: @_Z5twice
// CHECK: call {{.*}}<8 x float> @{{.*}}prim{{.*}}binary
// CHECK-NOT: unrelated
__tile_global__ void k(float *p) {
  F8 parts[4];
  for (int i = 0; i < 4; ++i)
    parts[i] = ct::load(p + i + ct::iota<ct::tile<int, ct::shape<8>>>());
  ct::store(p + ct::iota<ct::tile<int, ct::shape<8>>>(), twice(parts[0]) + parts[3]);
}
int main() {}
