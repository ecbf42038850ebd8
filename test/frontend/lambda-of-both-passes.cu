// A lambda for host and device has both bodies, also in a function of the host's.
// RUN: %tessera --target=cpu -o - %s | grep -v CHECK | FileCheck %s
#include <cuda_runtime.h>
#include <cuda_tile.h>

template <class F> __global__ void apply(int *out, F f) { *out = f(3); }

int main() {
  // CHECK: auto lambda = [] __host__ __device__(int x) { if (__tessera_on_device()) {
  // CHECK: return x + 1 ;
  // CHECK: } else {
  auto lambda = [] __host__ __device__(int x) {
#ifdef __CUDA_ARCH__
    return x + 1;
#else
    return x + 2;
#endif
  };
  apply<<<1, 1>>>(nullptr, lambda);
  // CHECK: return lambda(3);
  return lambda(3);
}
