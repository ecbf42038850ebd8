// What tile code reads and the kernel's text cannot name stands in front of the kernels, once:
// static locals, string literals, what arrays start from.
// RUN: %tessera %s -o - | FileCheck %s
// Both of nvcc's passes see them, since its host code names them:
// RUN: %tessera %s -o - | FileCheck %s --check-prefix=ORDER
// ORDER: {{^}}namespace variables {
// ORDER: {{^}}#ifndef __CUDA_ARCH__
#include <cuda_tile.h>

// CHECK: {{^}}namespace variables {
// CHECK-NEXT: alignas(4) static __device__ const float const_{{.*}}weights[4] = {
// CHECK-NEXT: 0x1p0f, 0x1p-1f, 0x1.8p1f, -0x1p0f,
// CHECK: {{^}}alignas(4) static __device__ unsigned int count_c[1] = {
// CHECK-NEXT: 10,
// CHECK: {{^alignas.1. }}static __device__ const unsigned char str[6] = {
// CHECK-NEXT: 104, 101, 108, 108, 111, 0,
// CHECK: {{^}}} // namespace variables
// CHECK-NOT: {{^.*}}static __device__
__tile__ int count() {
  static int c = 10;
  return c += 1;
}

// CHECK-LABEL: {{^}}static __global__ void __launch_bounds__{{.*}} first_simt(
// CHECK: {{^ .*}}variables::str
__tile_global__ void first(int *o, int i) {
  float weights[4] = {1, 0.5f, 3, -1};
  weights[i] = 2;
  o[0] = count() + "hello"[i] + int(weights[i + 1]);
}

// CHECK-LABEL: {{^}}static __global__ void __launch_bounds__{{.*}} second_simt(
// CHECK: {{^ .*}}variables::count_c
__tile_global__ void second(int *o) { o[0] = count(); }
