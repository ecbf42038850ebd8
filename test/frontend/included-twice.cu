// A header under several inclusions: each has its own text.
// RUN: %tessera run -O0 --target=cpu %s | FileCheck %s
// RUN: %if long %{ %tessera run -O0 --target=emulate %s | FileCheck %s %}
// RUN: %clang_plugin -S %s -o - | FileCheck %s --check-prefix=DEVICE
// RUN: %clang_host -S -MD -MF %t.d %s -o /dev/null
// RUN: FileCheck %s --check-prefix=DEPENDENCIES --input-file=%t.d
#include <cuda_tile.h>
#include <cuda_runtime.h>
#include <cstdio>

__tile__ int add3_value(int x) { return x + 3; }
__tile__ int mul3_value(int x) { return x * 3; }
#define VALUE_OF(name) name##_value
#define NAME_OF(name) VALUE_OF(name)

#define NAME add3
#include "Inputs/named.h"
#undef NAME
#define NAME mul3
#include "Inputs/named.h"
#undef NAME

// DEVICE-DAG: .entry {{.*}}add3_simt
// DEVICE-DAG: .entry {{.*}}mul3_simt
// DEPENDENCIES: named.h

int main() {
  int *device, host = 1;
  cudaMalloc((void **)&device, sizeof host);
  cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice);
  add3<<<1, 1>>>(device);
  mul3<<<1, 1>>>(device);
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  // CHECK: 12
  printf("%d\n", host);
}
