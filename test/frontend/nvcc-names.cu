// What nvcc provides by itself: the specifiers and launches without a block size in a file that
// includes nothing of tiles, whatever its standard, the version of the language, the toolkit's own
// libraries, device functions that Clang lacks; __NVCC__ in the program's own files, and
// __CUDACC__ also where its text is read by a plain compiler. <crt/cuda_tile.h> is ours, not the
// toolkit's. [tile:language_and_architecture_support]
// RUN: split-file %s %t
// RUN: %if long %{ %tessera -o - %t/bare.cu | FileCheck %t/bare.cu %}
// RUN: %tessera run -O0 --target=cpu %t/bare.cu
// RUN: %clang_plugin -S %t/bare.cu -o - | FileCheck %t/bare.cu --check-prefix=DEVICE
// RUN: %if long %{ %clang_host -S %t/bare.cu -o /dev/null %}
// RUN: %if long %{ %clang_host -fsyntax-only %t/bare.cu %}
// RUN: %if long %{ %tessera check %t/libraries.cu %}
// RUN: %clang_plugin -S %t/libraries.cu -o - | FileCheck %t/libraries.cu
// RUN: %if long %{ %clang_host -S %t/libraries.cu -o /dev/null %}
// RUN: %tessera --std=c++14 -I %t/library -o - %t/old.cu | FileCheck %t/own.h --check-prefix=OLD --match-full-lines
// RUN: %tessera run -O0 --std=c++14 -I %t/library --target=cpu %t/old.cu
// RUN: %if long %{ %tessera run -O0 --std=c++17 -I %t/library --target=emulate %t/old.cu %}
// RUN: %if long %{ %clang_plugin -std=c++17 -I %t/library -S %t/old.cu -o /dev/null %}
// RUN: %clang_host -I %t/library -fsyntax-only %t/old.cu

//--- bare.cu
#ifndef __CUDACC_TILE__
#error "no tile language"
#endif
// CHECK: (__tessera_configure(3), first(1));
// DEVICE: .entry {{.*}}first_simt
__tile_global__ void first(int) {}
int main() { first<<<3>>>(1); }

//--- libraries.cu
#include <crt/cuda_tile.h>
#if !__has_include(<cuda_tf32.h>)
#error "no tf32"
#endif
#include <cuda_tf32.h>
#include <cuda/std/array>
static_assert(cuda::tiles::same_as<int, int> && !cuda::tiles::same_as<int, float>);
__tile_global__ void tile(float *out) { out[0] = 1; }
// CHECK: st.global.cs.v2
// CHECK: st.global.cg
__global__ void simt(int4 *p, float *q) {
  __stcs(p, make_int4(1, 2, 3, 4));
  __stcg(q, 1.0f);
  // CHECK: ld.global.lu.v2
  // CHECK: ld.global.ca
  // CHECK: tanh.approx.f32
  // CHECK: add.rz.f32
  p[1] = __ldlu(p + 2);
  q[1] = __tanhf(__ldca(q + 2)) + __fadd2_rz({q[3], q[4]}, {q[5], q[6]}).x;
}
int main() {}

//--- old.cu
#include "own.h"
#include <library.h>
#ifndef __NVCC__
#error "not as nvcc reads it"
#endif
int main() { return launch() == 8 ? library() : 1; }

//--- own.h
// OLD: #if defined(__CUDACC__) && defined TESSERA_NVCC
#if defined(__CUDACC__) && defined __NVCC__
static __tile__ int twice(int x) { return 2 * x; }
__tile_global__ void store(int *p, int n) { p[0] = twice(n); }
static int launch() {
  int *device, host = 0;
  cudaMalloc((void **)&device, sizeof host);
  store<<<1>>>(device, 4);
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  return host;
}
#endif

//--- library/library.h
static int library() {
#ifdef __NVCC__
  return 2;
#else
  return 0;
#endif
}
