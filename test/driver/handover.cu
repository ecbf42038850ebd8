// Through the plugin each device pass translates for its own architecture, and the host pass takes
// that over: two translations here, not three, and no file is left. A host pass by itself makes its
// own.
// RUN: rm -rf %t.tmp && mkdir %t.tmp
// RUN: env TMPDIR=%t.tmp %clang_passes --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90a \
// RUN:   -fplugin-arg-tessera-dump=tile -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: find %t.tmp -type f | count 0
// RUN: not env TMPDIR=%t.tmp %clang_passes --cuda-gpu-arch=sm_90 --cuda-gpu-arch=sm_90a -c %s \
// RUN:   -o %t.o 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: find %t.tmp -type f | count 0
// RUN: %clang_host -fplugin-arg-tessera-dump=tile -S %s -o - 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALONE
// Two of one number cannot be told apart by a launch.
// TWICE: error: a program is compiled for sm_90 or for sm_90a, not for both
#include <cuda_tile.h>

// CHECK-COUNT-2: func.func @
// CHECK-NOT: func.func @
// ALONE: func.func @
// ALONE: kernel_simt
__tile_global__ void kernel(int *out) { out[0] = 1; }
int main() { kernel<<<1>>>(nullptr); }
