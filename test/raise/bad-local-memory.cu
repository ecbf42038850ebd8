// Threads share the work on a tile and do not see each other's local variables: what would need
// that is refused. test/mistakes/refused/stages.cu has the plain cases.
// RUN: not %tessera --dump=tile %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// CHECK: bad-local-memory.cu:[[@LINE+6]]:13:{{.*}}error: not supported yet: a view or a tile of pointers over a local variable
// CHECK: bad-local-memory.cu:[[@LINE+5]]:5:{{.*}}error: not supported yet: a view or a tile of pointers over a local variable
__tile_global__ void view(const int *x, int n, int *o) {
  int a[16] = {n, x[0]};
  auto s = ct::tensor_span{a, ct::extents{ct::integral_constant<16>{}}};
  auto v = ct::partition_view{s, ct::shape<16>{}};
  v.store(v.load(0) + 1, 0);
  o[0] = a[n & 15];
}

// CHECK: bad-local-memory.cu:[[@LINE+7]]:20:{{.*}}error: not supported yet: local memory that holds tiles and is used in another way than tile by tile
// CHECK: bad-local-memory.cu:[[@LINE+8]]:{{.*}}error: not supported yet: local memory that holds tiles and is used in another way than tile by tile
struct numbered {
  int a, b;
  ct::tile<int, ct::shape<2>> t;
};
__tile_global__ void parts_of_members(int *o, int n) {
  numbered x[2] = {{n, 1, ct::iota<ct::tile<int, ct::shape<2>>>()}}, y[2] = {};
  memcpy((void *)&y[n & 1], &x[n & 1], 6); // half of b
  ct::store(o + ct::iota<ct::tile<int, ct::shape<2>>>(), y[n & 1].t + y[0].b);
}
