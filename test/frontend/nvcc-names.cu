// What nvcc provides by itself: the specifiers and launches without a block size in a file that
// includes nothing of tiles, the version of the language, the toolkit's own libraries, stores with
// a caching mode. <crt/cuda_tile.h> is ours, not the toolkit's.
// RUN: split-file %s %t
// RUN: %tessera -o - %t/bare.cu | FileCheck %t/bare.cu
// RUN: %tessera run --target=cpu %t/bare.cu
// RUN: %clang_plugin -S %t/bare.cu -o - | FileCheck %t/bare.cu --check-prefix=DEVICE
// RUN: %clang_host -S %t/bare.cu -o /dev/null
// RUN: %clang_host -fsyntax-only %t/bare.cu
// RUN: %tessera check %t/libraries.cu
// RUN: %clang_plugin -S %t/libraries.cu -o - | FileCheck %t/libraries.cu
// RUN: %clang_host -S %t/libraries.cu -o /dev/null

//--- bare.cu
#ifndef __CUDACC_TILE__
#error "no tile language"
#endif
// CHECK: (::tessera::host::configure(3), first(1));
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
}
int main() {}
