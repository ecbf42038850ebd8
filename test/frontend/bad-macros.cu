// RUN: not tessera %s -o /dev/null 2>&1 | FileCheck %s
//
// A kernel of which one macro has the beginning and another the end cannot be taken out of the
// text.
#include <cuda_tile.h>

#define BEGIN __tile_global__ void kernel(int *p) {
#define END }

// CHECK: bad-macros.cu:[[@LINE+2]]:1: error: not supported yet: macros form this tile code in a way that cannot be rewritten; write the kernel or the launch in one macro, or without macros [tile:kernels/kernel-of-macros]
// CHECK-NOT: error
BEGIN
  *p = 1;
END
