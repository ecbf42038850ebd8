// What is between the arguments and the results of a function is the region of a fold; what does
// not depend on its arguments is read from outside.
// RUN: %tessera --extensions --dump=tile %s | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

// A branch on the arguments is a selection. All results are of one fold.
// CHECK-LABEL: func.func @{{.*}}branch
// CHECK: %[[F:.*]]:2 = tile.fold %{{.*}}, %{{.*}} along 0 : (tensor<64xf32>, tensor<64xi32>) -> (tensor<1xf32>, tensor<1xi32>) {
// CHECK-NEXT: ^bb0(%[[E:.*]]: f32, %[[J:.*]]: i32, %[[A:.*]]: f32, %[[I:.*]]: i32):
// CHECK-NEXT: %[[C:.*]] = arith.cmpf ogt, %[[E]], %[[A]] : f32
// CHECK-DAG: %[[V:.*]] = arith.select %[[C]], %[[E]], %[[A]] : f32
// CHECK-DAG: %[[W:.*]] = arith.select %[[C]], %[[J]], %[[I]] : i32
// CHECK: tile.yield %[[V]], %[[W]] : f32, i32
// CHECK-NOT: tile.fold
__tile_global__ void branch(const float *x, float *most, int *place) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto [value, where] =
      ct::reduce(ct::pack{ct::load(x + i), i}, 0_ic, [](float a, int i, float b, int j) {
        if (b > a)
          return ct::pack{b, j};
        return ct::pack{a, i};
      });
  ct::store(ct::iota<ct::tile<int, ct::shape<1>>>() + most, value);
  ct::store(ct::iota<ct::tile<int, ct::shape<1>>>() + place, where);
}

// CHECK-LABEL: func.func @{{.*}}capture
// CHECK: %[[K:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: tile.fold scan %{{.*}} along 0 {backward} : (tensor<64xf32>) -> tensor<64xf32> {
// CHECK: arith.mulf %[[K]], %
// CHECK: tile.yield
__tile_global__ void capture(float *x, float k) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto combine = [=](float a, float b) { return a + b + k * k * (a * b); };
  ct::store(x + i, ct::scan(ct::load(x + i), 0_ic, combine, ct::scan_backward_t{}));
}

// A branch that only computes becomes selections, in which a known operation is found.
// CHECK-LABEL: func.func @{{.*}}first_largest
// CHECK: tile.reduce argmax %{{.*}} at %{{.*}} along 0
// CHECK-NOT: tile.fold
__tile_global__ void first_largest(const int *x, int *y) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto larger = [](int a, int i, int b, int j) {
    return b > a || (b == a && j < i) ? ct::pack{b, j} : ct::pack{a, i};
  };
  ct::store(ct::iota<ct::tile<int, ct::shape<1>>>() + y,
            ct::reduce(ct::pack{ct::load(x + i), i}, 0_ic, larger).second);
}

// What may fail stays in a branch.
// CHECK-LABEL: func.func @{{.*}}guarded
// CHECK: tile.fold
// CHECK: scf.if
// CHECK: arith.divsi
__tile_global__ void guarded(int *x) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  ct::store(x + i,
            ct::scan(ct::load(x + i), 0_ic, [](int a, int b) { return b == 0 ? a : a / b; }));
}

// A known operation.
// CHECK-LABEL: func.func @{{.*}}known
// CHECK: tile.reduce sum
// CHECK: tile.reduce max
// CHECK-NOT: tile.fold
__tile_global__ void known(int *x) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto value = ct::load(x + i);
  ct::store(x + i, value + ct::reduce(value, 0_ic, 0, [](int a, int b) { return a + b; }) +
                       ct::reduce(value, 0_ic, [](int a, int b) { return b > a ? b : a; }));
}
