// The plugin contracts a multiply and an addition of the program into an fma, as nvcc does, but not
// where a pragma forbids it, nor inside of CUDA's math library, which allows no contraction.
// RUN: %clang_plugin -O2 -S %s -o - | FileCheck %s
#include "cuda_runtime.h"
#include <cuda_tile.h>

__tile_global__ void tile_kernel(float *p) { cuda::tiles::store(p, 1.0f); }

// CHECK-LABEL: .entry contracted
// CHECK: fma.rn.f32
extern "C" __global__ void contracted(float *p) { p[0] = p[1] * p[2] + p[3]; }

// CHECK-LABEL: .entry apart
// CHECK: mul.rn.f32
// CHECK: add.rn.f32
extern "C" __global__ void apart(float *p) {
#pragma clang fp contract(off)
  p[0] = p[1] * p[2] + p[3];
}
