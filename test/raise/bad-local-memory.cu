// Threads share the work on a tile and do not see each other's local variables: what would need
// that is refused, as is a store of which nobody knows whose it is.
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

// CHECK: bad-local-memory.cu:[[@LINE+4]]:{{.*}}error: not supported yet: a view or a tile of pointers over a local variable
__tile_global__ void pointers(const int *x, int n, int *o) {
  using row = ct::tile<int, ct::shape<16>>;
  int a[16] = {n, x[0]};
  ct::store(o + ct::iota<row>(), ct::load(a + ct::iota<row>()));
}

// CHECK: bad-local-memory.cu:[[@LINE+4]]:{{.*}}error: not supported yet: a store through a pointer that is to a local variable or to other memory
__tile_global__ void mixed(int w, int n, int *o) {
  int a[4] = {1, 2, 3, 4};
  int *p = w ? a : o;
  p[n & 3] = 7;
  o[5] = a[n & 3];
}

// CHECK: bad-local-memory.cu:[[@LINE+3]]:{{.*}}error: not supported yet: the address of a local variable in memory that other threads see
__tile_global__ void stored(int **o, int n) {
  int a[4] = {n, n};
  o[0] = a;
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
