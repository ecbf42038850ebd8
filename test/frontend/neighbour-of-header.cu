// A header that becomes part of the text includes its neighbour: the text, which lies elsewhere,
// finds it.
// RUN: split-file %s %t
// RUN: %tessera run -O0 --target=cpu %t/program/main.cu
// RUN: %if long %{ %tessera run -O0 --target=emulate %t/program/main.cu %}
// RUN: cd %t/program && %tessera run -O0 --target=emulate main.cu

//--- library/neighbour.h
inline int seven() { return 7; }
//--- library/launch.h
#include <cuda_tile.h>
#include "neighbour.h"
#define LAUNCH(KERNEL, P) KERNEL<<<1, 1>>>(P)
//--- program/main.cu
#include "../library/launch.h"
__tile_global__ void k(int *p) { p[0] = 7; }
int main() {
  int *p, x = 0;
  cudaMalloc((void **)&p, sizeof x);
  LAUNCH(k, p);
  cudaMemcpy(&x, p, sizeof x, cudaMemcpyDeviceToHost);
  return seven() - x;
}
