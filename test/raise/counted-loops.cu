// Loops that count become scf.for with the integer type of their variable and no test around them.
// RUN: %tessera --dump=tile %s -o /dev/null 2>&1 | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;
__tile__ auto at(int i) { return ct::iota<ct::tile<int, ct::shape<64>>>() + i * 64; }

// CHECK-LABEL: func.func @{{.*}}range
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} = %c0_i32 to %{{.*}} step %c1_i32 iter_args(%[[A:.*]] = %{{.*}}) -> (tensor<64xf32>) : i32 {
// CHECK:   %[[NEXT:.*]] = tile.binary add %[[A]]
// CHECK:   scf.yield %[[NEXT]]
// CHECK: tile.store %[[SUM]]
__tile_global__ void range(const float *x, float *y, int n) {
  auto sum = ct::zeros<row>();
  for (auto i : ct::irange(0, n)) sum = sum + ct::load(x + at(i));
  ct::store(y + at(0), sum);
}

// An unsigned comparison, and a step that is known only at run time.
// CHECK-LABEL: func.func @{{.*}}persistent
// CHECK-DAG: %[[LOW:.*]] = tile.block_index 0
// CHECK-DAG: %[[STEP:.*]] = tile.grid_size 0
// CHECK-NOT: scf.if
// CHECK: scf.for unsigned %{{.*}} = %[[LOW]] to %arg1 step %[[STEP]] : i32
__tile_global__ void persistent(float *y, unsigned n) {
  for (unsigned t = ct::bid().x; t < n; t += ct::num_blocks().x)
    ct::store(y + at(int(t)), ct::ones<row>());
}

// The count is used after the loop: it is carried along; `<=` counts to the bound plus one.
// CHECK-LABEL: func.func @{{.*}}inclusive
// CHECK: %[[BOUND:.*]] = arith.addi %arg1, %c1_i32
// CHECK: scf.for %{{.*}} = %c1_i32 to %[[BOUND]] step %c1_i32 iter_args
__tile_global__ void inclusive(float *y, int n) {
  auto sum = ct::zeros<row>();
  int i = 1;
  for (; i <= n; ++i) sum = sum + float(i);
  ct::store(y + at(i), sum);
}

// Nested, and with a path that skips the rest of a turn.
// CHECK-LABEL: func.func @{{.*}}nested
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: scf.while
// CHECK: return
__tile_global__ void nested(float *y, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; j += 2) {
      if (i == j) continue;
      ct::store(y + at(i), ct::full<row>(float(j)));
    }
}

// A bound that is wider than the counter, which does not wrap, is narrowed.
// CHECK-LABEL: func.func @{{.*}}wider_bound
// CHECK: %[[LEAST:.*]] = arith.minsi %arg1, %c2147483647_i64
// CHECK: %[[MOST:.*]] = arith.maxsi %[[LEAST]], %c-2147483648_i64
// CHECK: %[[BOUND:.*]] = arith.trunci %[[MOST]] : i64 to i32
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[BOUND]] step
__tile_global__ void wider_bound(int *p, long n) {
  for (int i = 0; i < n; ++i)
    p[i] = i;
}

// Tiles of 8 rows, as long as one begins in front of the end: the counter's own bound is the
// quotient rounded up. An unsigned product may wrap.
// CHECK-LABEL: func.func @{{.*}}scaled
// CHECK: %[[BOUND:.*]] = tile.binary ceildiv %arg1, %c8_i32
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[BOUND]] step %c132_i32
// CHECK: tile.binary ceildiv %arg1, %c5_i32
// CHECK: scf.for
// CHECK: scf.while
// CHECK: return
__tile_global__ void scaled(int *p, int n, unsigned m) {
  for (int i = ct::bid().x; i * 8 < n; i += 132)
    p[i] = i;
  for (int i = ct::bid().x; n > 5 * i; ++i)
    p[i] = i;
  for (unsigned i = ct::bid().x; i * 8 < m; ++i)
    p[i] = i;
}

// A bound that the header divides for is divided for once; a step, too, but not if the body does,
// which may have no turn.
// CHECK-LABEL: func.func @{{.*}}quotients
// CHECK: %[[BOUND:.*]] = arith.divsi %arg1, %arg2
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[BOUND]] step %c1
// CHECK: scf.while
// CHECK: arith.remsi %arg1, %arg2
// CHECK: return
__tile_global__ void quotients(int *p, int n, int m) {
  for (int i = 0; i < n / m; ++i)
    p[i] = i;
  for (int i = 0; i < n; i += n % m)
    p[i] = i;
}
