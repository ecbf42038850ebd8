// A number of the environment that is none is told of, and does not count.
// RUN: %tessera run -O0 --target=cpu %s 2>&1 | count 0
// RUN: env TESSERA_TIMEOUT=soon TESSERA_PATIENCE=-1 TESSERA_CPU_THREADS=0 \
// RUN:   %tessera run -O0 --target=cpu %s 2>&1 | FileCheck %s
// RUN: env TESSERA_TIMEOUT=90 TESSERA_PATIENCE=0.5 TESSERA_CPU_THREADS=2 TESSERA_EMULATE_SEED=7 \
// RUN:   %tessera run -O0 --target=emulate %s 2>&1 | count 0
// RUN: env TESSERA_EMULATE_SEED=rnadom %tessera run -O0 --target=emulate %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SEED
// CHECK-DAG: tessera: TESSERA_TIMEOUT=soon is ignored, because it is not a number of at least 0
// CHECK-DAG: tessera: TESSERA_PATIENCE=-1 is ignored, because it is not a number of at least 0
// CHECK-DAG: tessera: TESSERA_CPU_THREADS=0 is ignored, because it is not a number of at least 1
// SEED: tessera: TESSERA_EMULATE_SEED=rnadom is ignored, because it is not a number of at least 0
#include <cuda_tile.h>
__tile_global__ void kernel(int *p) { *p = 1; }
int main() {
  int *value;
  cudaMallocManaged(&value, sizeof *value);
  kernel<<<1, 1>>>(value);
  return cudaDeviceSynchronize() != cudaSuccess || *value != 1;
}
