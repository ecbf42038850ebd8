// `tessera build --ptx` makes the kernels' PTX for one architecture of a GPU, not a library.
// RUN: %tessera build --ptx --arch=sm_80 %s -o %t.ptx
// RUN: FileCheck --input-file=%t.ptx %s
// RUN: not %tessera build --ptx --arch=sm_80,sm_90a %s -o %t.ptx 2>&1 \
// RUN:   | FileCheck --check-prefix=ONE %s
// RUN: not %tessera build --ptx --target=cpu %s -o %t.ptx 2>&1 | FileCheck --check-prefix=CPU %s
// CHECK: .target sm_80
// CHECK: .entry {{.*}}add
// ONE: tessera: --ptx takes one architecture
// CPU: tessera: --ptx compiles for a GPU; it takes no other target
#include <cuda_tile.h>

__tile_global__ void add(int *x) { *x += 1; }

void launch(int *x) { add<<<1, 1>>>(x); }
