// A kernel is a function under its symbol; its name and what C++ said of its parameters are
// attributes.
// RUN: %tessera --dump=tile %s -o /dev/null 2>&1 | FileCheck %s
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// CHECK-LABEL: func.func @_Z10everything
// CHECK-SAME: %[[Y:[^:]*]]: !llvm.ptr {tile.name = "y", tile.pointee = f32, tile.restrict, tile.type = "float *"}
// CHECK-SAME: !llvm.ptr {tile.const, tile.name = "x", tile.pointee = f16, tile.type = "const __half *"}
// CHECK-SAME: %[[N:[^:]*]]: i32 {tile.name = "n", tile.type = "unsigned int", tile.unsigned}
// CHECK-SAME: %[[H:[^:]*]]: !llvm.ptr {tile.byval = !llvm.struct<{{.*}}>, tile.name = "h", tile.type = "__half"}
// CHECK-SAME: attributes {tile.kernel = "everything_32"}
template <int N>
__tile_global__ void everything(float *__restrict__ y, const __half *x, unsigned n, __half h) {
  // What C++ passes as an object comes by address, and is read as its field.
  // CHECK: tile.field %[[H]] "" as "__half" : () -> f16
  // CHECK: llvm.getelementptr %[[Y]]
  y[n] = float(h);
}
template __tile_global__ void everything<32>(float *, const __half *, unsigned, __half);
