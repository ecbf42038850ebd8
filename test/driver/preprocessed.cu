// Tile code is compiled from the program's own text: what -save-temps hands on is refused in one
// sentence. Without tile code it is Clang's alone.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: not %clang_plugin -c -save-temps=obj -o %t/tiles.o %s 2>&1 | FileCheck %s
// RUN: %clang_plugin -c -save-temps=obj -DSIMT -o %t/simt.o %s
// CHECK: error: '{{.*}}preprocessed-cuda-nvptx64-nvidia-cuda-sm_90a.cui'
// CHECK-SAME: is preprocessed, but tile code is compiled from the original source
// CHECK-SAME: leave -save-temps out
// CHECK-NOT: error:
#ifdef SIMT
__global__ void simt(float *p) { p[threadIdx.x] = 1; }
#else
#include <cuda_tile.h>
__tile_global__ void one(float *p) { p[0] = 1; }
#endif
