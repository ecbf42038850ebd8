// A loop with a second way out stays a scf.while; where control goes on is a truth value, what is
// undefined on a way is not computed around.
// RUN: %tessera --dump=tile %s -o /dev/null 2>&1 | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
__tile__ auto at(int i) { return ct::iota<ct::tile<int, ct::shape<64>>>() + i * 64; }

// CHECK-LABEL: func.func @{{.*}}leaves
// CHECK: scf.while
// CHECK: scf.if %{{.*}} -> ({{.*}}i1
// CHECK-NOT: arith.extui
// CHECK: scf.condition
__tile_global__ void leaves(const float *x, float *y, const int *stop, int n) {
  auto sum = ct::zeros<row>();
  for (int i = 0; i < n; ++i) {
    if (stop[i]) break;
    sum = sum + ct::load(x + at(i));
  }
  ct::store(y + at(0), sum);
}

// CHECK-LABEL: func.func @{{.*}}returns
// CHECK: %[[GO:.*]] = arith.cmpi s{{.*}} %arg1
// CHECK: scf.if %[[GO]] {
// CHECK:   tile.store
// CHECK: }
// CHECK-NEXT: return
__tile_global__ void returns(float *y, int n) {
  if (n < 0) return;
  ct::store(y + at(n), ct::ones<row>());
}

// CHECK-LABEL: func.func @{{.*}}chooses
// CHECK: scf.index_switch
__tile_global__ void chooses(float *y, int n) {
  auto x = ct::load(y + at(0));
  switch (n) {
  case 0: x = x * 2.f; break;
  case 3: x = x - 1.f; break;
  case 7: return;
  default: x = -x;
  }
  ct::store(y + at(1), x);
}
