// Architectures may give one name to different variables: each has its own, and nvcc's host code,
// which names them all, sees them in front of the sections.
// RUN: %tessera --arch=sm_80,sm_90a %s -o - | FileCheck %s
#include <cuda_tile.h>

__tile_global__ void look_up(int *o, int i) {
#if __CUDA_ARCH__ >= 900
  static const int table[4] = {9, 8, 7, 6};
#else
  static const int table[4] = {1, 2, 3, 4};
#endif
  o[0] = table[i & 3];
}

// CHECK: {{^}}namespace variables_of_sm_80 {
// CHECK: {{^[^/]*}}1{{.*}}2{{.*}}3{{.*}}4
// CHECK: {{^}}namespace variables_of_sm_90a {
// CHECK: {{^[^/]*}}9{{.*}}8{{.*}}7{{.*}}6
// CHECK: {{^}}#ifndef __CUDA_ARCH__
// CHECK: {{^}}namespace variables = variables_of_sm_90a;
// CHECK: {{^}}namespace variables = variables_of_sm_80;
