// Behind the name of a type that is no pointer, __restrict__ has no meaning: nvcc takes it where
// that is the name of a class or an alias, and so do we, in tile code and beside it.
// RUN: split-file %s %t
// RUN: %tessera -o - %t/good.cu | FileCheck %t/good.cu
// RUN: %if long %{ %tessera run -O0 --target=cpu %t/good.cu %}
// RUN: %if long %{ %tessera run -O0 --target=emulate %t/good.cu %}
// RUN: %clang_plugin -S %t/good.cu -o /dev/null
// RUN: %if long %{ %clang_host -S %t/good.cu -o /dev/null %}
// RUN: not %tessera check %t/bad.cu 2>&1 | FileCheck %t/bad.cu --implicit-check-not=error:

//--- good.cu
#include "good.h"
#include <cuda_runtime.h>
#include <cuda_tile.h>
#warning "said once"
#define RESTRICT __restrict__
using word = int;

__tile_global__ void tile(int2 __restrict__ *p, const int2 RESTRICT *__restrict__ q,
                          word __restrict const *w, int *o) {
  p->x = q->y + *w;
  o[0] = second(p);
}
// CHECK: __global__ void simt(const int2 {{ *}}*p, int *o)
__global__ void simt(const int2 __restrict__ *p, int *o) { o[1] = p->x; }

int main() {
  int values[] = {1, 2, 3, 4}, *x, results[] = {0, 0, 0, 0}, *o;
  cudaMalloc((void **)&x, sizeof values);
  cudaMalloc((void **)&o, sizeof results);
  cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice);
  tile<<<1, 1>>>((int2 *)x, (int2 *)x + 1, x + 2, o);
  simt<<<1, 1>>>((int2 *)x, o);
  cudaMemcpy(results, o, sizeof results, cudaMemcpyDeviceToHost);
  return results[0] != 2 || results[1] != 7;
}

//--- good.h
#include <cuda_runtime.h>
struct pair {
  int2 __restrict__ *p;
};
__attribute__((device, host, tile)) inline int second(int2 __restrict__ *p) {
  pair all{p};
  return all.p->y;
}

//--- bad.cu
#include <cuda_runtime.h>
#include <cuda_tile.h>
// CHECK: bad.cu:[[@LINE+1]]:30: error: restrict requires a pointer or reference
__tile_global__ void k(float __restrict__ *p, int2 __restrict__ *q) {}
// CHECK: bad.cu:[[@LINE+1]]:{{.*}}error: unknown type name 'nothing'
nothing n;
