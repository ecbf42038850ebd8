// A local struct of tiles with run-time indices is one array for each member; a copy of it copies
// the members.
// RUN: %tessera --dump=tile %s -o /dev/null 2>&1 | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
using mask = ct::tile<int, ct::shape<32>>;
__tile__ auto at(int i) { return ct::iota<ct::tile<int, ct::shape<64>>>() + i * 64; }

struct part {
  row x;
  mask m;
  int n;
};
struct whole {
  part parts[2];
  row last;
};

// CHECK-LABEL: func.func @{{.*}}members
// CHECK-DAG: %[[X:.*]] = tile.local_alloc 2 of tensor<64xf32>
// CHECK-DAG: %[[M:.*]] = tile.local_alloc 2 of tensor<32xi32>
// CHECK-DAG: %[[N:.*]] = llvm.alloca %{{.*}} x !llvm.array<2 x i32>
// CHECK: scf.for
// CHECK: tile.local_load %[[X]]
// CHECK: tile.local_store %{{.*}}, %[[X]]
// CHECK: tile.local_load %[[M]]
__tile_global__ void members(float *y, int n) {
  whole a;
  for (int i = 0; i < 2; ++i)
    a.parts[i] = {ct::load(y + at(i)), ct::iota<mask>(), i};
  a.last = ct::zeros<row>();
  for (int i = 0; i < n; ++i)
    a.parts[i & 1].x = a.parts[i / 3].x + 1.0f;
  ct::store(y + at(3), a.parts[n].x + a.last + float(ct::sum<0>(a.parts[n].m) + a.parts[n].n));
}

// CHECK-LABEL: func.func @{{.*}}copy
// CHECK-DAG: %[[A:.*]] = tile.local_alloc 2 of tensor<64xf32>
// CHECK-DAG: %[[B:.*]] = tile.local_alloc 2 of tensor<64xf32>
// CHECK: tile.local_load %[[A]]
// CHECK: tile.local_load %[[A]]
// CHECK: tile.local_store %{{.*}}, %[[B]]
// CHECK: tile.local_store %{{.*}}, %[[B]]
struct two {
  row x[2];
};
__tile_global__ void copy(float *y, int n) {
  two a = {ct::load(y + at(0)), ct::load(y + at(1))};
  a.x[n] = a.x[n] + 2.0f;
  two b = a;
  b.x[n] = b.x[n] + 1.0f;
  ct::store(y + at(3), b.x[n & 1] - a.x[n & 1]);
}
