// Tile code is compiled as a whole: a function that is called has a body here.
// RUN: not %tessera %s -o /dev/null 2>&1 | FileCheck %s
#include <cuda_tile.h>

__tile__ int elsewhere(int);
// CHECK: bad-no-body.cu:[[@LINE+1]]:{{.*}}error: 'elsewhere(int)' has no body in this translation unit
__tile_global__ void calls(int *p) { p[0] = elsewhere(3); }
