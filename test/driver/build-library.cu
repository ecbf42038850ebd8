// `tessera build` makes a shared library that has the CPU's runtime inside; what is refused leaves
// none, and --depfile lists what it is made of.
// RUN: %tessera build --target=cpu -DGOOD %s -o %t.so --depfile=%t.d
// RUN: %clang_c %S/Inputs/load_library.c -ldl -o %t.host
// RUN: %t.host %t.so | FileCheck %s
// RUN: FileCheck --check-prefix=RULE --input-file=%t.d %s
// RUN: rm %t.so
// RUN: not %tessera build --target=cpu %s -o %t.so 2>&1 | FileCheck --check-prefix=REFUSED %s
// RUN: not ls %t.so
// RUN: not %tessera build --target=cpu,emulate %s 2>&1 | FileCheck --check-prefix=ONE %s
// RUN: not %tessera build --target=cpu %s -o %s 2>&1 | FileCheck --check-prefix=ITSELF %s
// CHECK: 41
// RULE: {{^}}{{.*}}.so:
// RULE: build-library.cu
// REFUSED: error: {{.*}}undeclared
// ONE: tessera: build takes one target
// ITSELF: is the program itself
#include <cuda_tile.h>

__tile_global__ void add(int *x) { *x += 1; }
#ifndef GOOD
__tile_global__ void bad(int *x) { *x += undeclared; }
#endif

extern "C" int answer() {
  int x = 40;
  add<<<1, 1>>>(&x);
  return cudaGetLastError() == cudaSuccess ? x : -1;
}
