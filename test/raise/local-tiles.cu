// Tiles that must stay in memory: arrays with a run-time index, tiles behind a pointer.
// RUN: %tessera --dump=tile %s -o /dev/null 2>&1 | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
__tile__ auto at(int i) { return ct::iota<ct::tile<int, ct::shape<64>>>() + i * 64; }

// CHECK-LABEL: func.func @{{.*}}chosen
// CHECK: %[[PARTS:.*]] = tile.local_alloc 3 of tensor<64xf32>
// CHECK: tile.local_store %{{.*}}, %[[PARTS]][%{{.*}}]
// CHECK: %[[OLD:.*]] = tile.local_load %[[PARTS]][%[[I:.*]]] : i64 -> tensor<64xf32>
// CHECK: %[[NEW:.*]] = tile.binary add %[[OLD]]
// CHECK: tile.local_store %[[NEW]], %[[PARTS]][%[[I]]] : tensor<64xf32>, i64
__tile_global__ void chosen(float *y, const int *which, int n) {
  row parts[3];
  for (auto &part : parts) part = ct::zeros<row>();
  for (int i = 0; i < n; ++i) parts[which[i]] = parts[which[i]] + 1.0f;
  ct::store(y + at(0), parts[n]);
}

// Constant indices leave nothing in memory.
// CHECK-LABEL: func.func @{{.*}}known
// CHECK-NOT: local_alloc
// CHECK: return
__tile_global__ void known(float *y) {
  row parts[2] = {ct::load(y + at(0)), ct::load(y + at(1))};
  ct::store(y + at(2), parts[0] - parts[1]);
}

// A tile in global memory is a row-major box.
// CHECK-LABEL: func.func @{{.*}}behind
// CHECK: %[[X:.*]] = tile.view_load %arg0 extents(%[[E:.*]], %[[E]]) {{.*}} {staticExtents = array<i64: 8, 8>, staticStrides = array<i64: 8, 1>}
// CHECK: %[[SUM:.*]] = tile.binary add %[[X]], %[[X]] : tensor<8x8xf32>
// CHECK: %[[BYTES:.*]] = arith.muli %{{.*}}, %c256_i64
// CHECK: %[[P:.*]] = llvm.getelementptr %arg0[%[[BYTES]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: tile.view_store %[[SUM]], %[[P]]
__tile_global__ void behind(ct::tile<float, ct::shape<8, 8>> *p, int n) { p[n] = p[0] + p[0]; }

// An address that is chosen is an index, and what it is chosen among one array.
// CHECK-LABEL: func.func @{{.*}}addressed
// CHECK: %[[ALL:.*]] = tile.local_alloc 3 of tensor<64xf32>
// CHECK-NOT: local_alloc
// CHECK: %[[FIRST:.*]] = arith.select %{{.*}} : i64
// CHECK: %[[I:.*]] = arith.select %{{.*}}, %[[FIRST]] : i64
// CHECK: tile.local_load %[[ALL]][%[[I]]]
// CHECK: tile.local_store %{{.*}}, %[[ALL]][%[[I]]]
__tile_global__ void addressed(float *y, int n, int m) {
  row a = ct::load(y + at(0)), parts[2] = {a, a};
  row *chosen = n > 4 ? &a : parts + (m & 1);
  if (n == 3) chosen = &parts[1];
  *chosen = *chosen + 1.0f;
  ct::store(y + at(0), a);
  ct::store(y + at(1), parts[1]);
}
