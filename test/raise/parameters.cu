// A kernel is a function under its symbol; its name and what C++ said of its parameters are attributes.
// RUN: %tessera --dump=tile %s -o /dev/null 2>&1 | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;

struct scale {
  float factor;
  int shift;
};

// CHECK-LABEL: func.func @_Z10everything
// CHECK-SAME: %[[Y:[^:]*]]: !llvm.ptr {tile.name = "y", tile.pointee = f32, tile.restrict, tile.type = "float *"}
// CHECK-SAME: !llvm.ptr {tile.name = "h", tile.pointee = f16, tile.type = "const __half *"}
// CHECK-SAME: %[[N:[^:]*]]: i32 {tile.name = "n", tile.type = "unsigned int", tile.unsigned}
// CHECK-SAME: %[[S:[^:]*]]: !llvm.ptr {tile.byval = !llvm.struct<"struct.scale", (f32, i32)>, tile.name = "s"
// CHECK-SAME: attributes {tile.kernel = "everything_32"}
template <int N>
__tile_global__ void everything(float *__restrict__ y, const __half *h, unsigned n, scale s) {
  // A member of a struct is an element step and a load: nobody after this stage knows the layout of C++ objects.
  // CHECK: llvm.load %[[S]] {{.*}} -> f32
  // CHECK: arith.uitofp %[[N]]
  // CHECK: %[[P:.*]] = llvm.getelementptr %[[S]][1] : (!llvm.ptr) -> !llvm.ptr, i32
  // CHECK: %[[SHIFT:.*]] = llvm.load %[[P]]
  // CHECK: llvm.getelementptr %[[Y]]
  y[s.shift] = s.factor * n;
}
template __tile_global__ void everything<32>(float *, const __half *, unsigned, scale);
