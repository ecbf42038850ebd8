// Several texts of one program by one run of the front end: each is the same, byte for byte, as
// that of a run for it alone; what is wrong with the program is said once.
// RUN: rm -rf %t && mkdir %t && cp %s %t/x.cu
// RUN: %tessera --arch=sm_80,sm_90a --target=cpu,emulate,gpu -o %t/1 -o %t/2 -o %t/3 %t/x.cu
// RUN: %tessera --arch=sm_80,sm_90a --target=cpu -o %t/cpu %t/x.cu && cmp %t/1 %t/cpu
// RUN: %tessera --arch=sm_80,sm_90a --target=emulate -o %t/emulate %t/x.cu && cmp %t/2 %t/emulate
// RUN: %tessera --arch=sm_80,sm_90a --target=gpu -o %t/gpu %t/x.cu && cmp %t/3 %t/gpu
// The order is the command line's; names of their own, where none are given.
// RUN: %tessera --arch=sm_80,sm_90a --target=gpu --target=cpu %t/x.cu
// RUN: cmp %t/x.gpu.cu %t/gpu && cmp %t/x.cpu.cu %t/cpu
// RUN: %tessera --arch=sm_80,sm_90a --target=gpu,cpu -o %t/4 -o - %t/x.cu | cmp - %t/cpu
// RUN: not %tessera --target=cpu,emulate -DWRONG -o %t/5 -o %t/6 %t/x.cu 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG --implicit-check-not=error:
// Nothing is left of a run that fails.
// RUN: not %tessera --target=cpu,emulate -o %t/7 -o %t/none/x %t/x.cu 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FOLDER
// RUN: not %tessera --target=cpu,emulate -o %t/7 -o %t %t/x.cu 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TAKEN
// RUN: ls %t | FileCheck %s --check-prefix=LEFT
// RUN: not %tessera --target=cpu,gpu -o %t/7 %t/x.cu 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not %tessera --target=cpu,gpu -o %t/7 -o %t/../%basename_t.tmp/7 %t/x.cu 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SAME
// RUN: not %tessera --target=cpu,cpu %t/x.cu 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %tessera run --target=cpu,emulate %t/x.cu 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not %tessera --target=cpu -o %t/x.cu %t/x.cu 2>&1 | FileCheck %s --check-prefix=SOURCE

// WRONG: error: use of undeclared identifier 'n'
// FOLDER: tessera: cannot write '{{.*}}/none/x'
// TAKEN: tessera: cannot write '{{.*}}': is a folder
// LEFT: {{^}}4
// LEFT-NEXT: {{^}}cpu
// LEFT-NEXT: {{^}}emulate
// LEFT-NEXT: {{^}}gpu
// COUNT: tessera: -o is given 1 time for 2 targets; give one -o for each target
// SAME: tessera: two targets cannot both be written to
// TWICE: tessera: --target names cpu twice
// ONE: tessera: run takes one target
// SOURCE: tessera: the output '{{.*}}' is the program itself
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile__ auto doubled(ct::tile<int, ct::shape<8>> x) { return x + x; }

__tile_global__ void kernel(int *p) {
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
#ifdef WRONG
  i = i + n;
#endif
  ct::store(p + i, doubled(ct::load(p + i)));
}

int main() {
  int *p;
  cudaMalloc(&p, 32);
  kernel<<<1, 1>>>(p);
}
