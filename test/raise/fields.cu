// Structs that kernels take by value (--extensions): members are read by name, also at run-time
// indices, and know what they point to. What has no name that text may say, or is written, is
// memory.
// RUN: %tessera --extensions --dump=tile %s -o /dev/null 2>&1 | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;

struct descriptor {
  const float *data;
  long shape[2];
  bool is_open;

private:
  int hidden = 0;

public:
  __tile__ int secret() const { return hidden; }
};

// CHECK-LABEL: func.func @_Z4read
// CHECK-SAME: %[[D:[^:]*]]: !llvm.ptr {tile.byval = {{.*}}tile.name = "d"
__tile_global__ void read(descriptor d, float *o, int i) {
  // CHECK-DAG: tile.field %[[D]] ".data" as "const float *" {isConst, pointee = f32} : () -> !llvm.ptr
  // CHECK-DAG: tile.field %[[D]] ".shape[1]" as "long" : () -> i64
  // CHECK-DAG: tile.field %[[D]] ".shape[#]"[%{{.*}}] as "long" : (i64) -> i64
  // CHECK-DAG: tile.field %[[D]] ".is_open" as "bool" {isUnsigned} : () -> i1
  o[0] = d.data[d.shape[1]] + d.shape[i] + d.is_open;
  // CHECK: llvm.load %{{.*}} {alignment = 4 : i64, tile.local} : !llvm.ptr -> i32
  o[1] = d.secret();
}

// A copy that is changed is values.
// CHECK-LABEL: func.func @_Z7changed
// CHECK-NOT: alloca
// CHECK: %[[S:.*]] = tile.field %{{.*}} ".shape[0]"
// CHECK: arith.addi %[[S]], %c1_i64
// CHECK: return
__tile_global__ void changed(descriptor d, long *o) {
  descriptor copy = d;
  ++copy.shape[0];
  o[0] = copy.shape[0];
}
