// A command line may name the runtime's folder, which the plugin knows by itself: the header that
// stands in for a toolkit's is no header of the toolkit's then.
// RUN: cd %S/../.. && %clang_passes --cuda-gpu-arch=sm_90a -Iruntime/include -fsyntax-only -Xclang -verify %s
// RUN: cd %S/../.. && %tessera check %s -Iruntime/include -I runtime/../runtime/include
// expected-no-diagnostics
#include <cuda_tf32.h>
#include <cuda_tile.h>

__nv_tf32 numbers[2];
__tile_global__ void k(float *p) { *p = 1; }
int main() {
  numbers[0] = __nv_tf32(1.0f);
  return float(numbers[0]) != 1;
}
