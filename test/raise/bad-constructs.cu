// What cannot be raised is refused at its line, all of it in one run.
// RUN: not %tessera --dump=tile %s -o /dev/null 2>&1 | FileCheck %s
#include <cuda_tile.h>

// CHECK: bad-constructs.cu:[[@LINE+1]]:{{.*}}an atomic operation other than those of the tile library
__tile_global__ void atomic(int *p) { __atomic_fetch_add(p, 1, __ATOMIC_RELAXED); }

// CHECK: bad-constructs.cu:[[@LINE+3]]:{{.*}}a copy of a large object
struct large { int numbers[1000]; };
__tile_global__ void copies(large *p, const large *q) {
  *p = *q;
}
