// Rules that the whole translation unit decides: where kernels are declared, who launches them,
// what objects tile code may have.
// RUN: %clang_plugin -fsyntax-only -fgpu-rdc -Xclang -verify %s
#include <cuda_fp16.h>
#include <cuda_tile.h>

template <class... T, class U> __tile_global__ void leading(U u, T... t) {} // expected-error {{is not the last parameter}}
__tile_global__ void quiet(int *p) noexcept {} // expected-error {{kernel 'quiet' is noexcept; a kernel has no exception specification}}
struct Host {
  friend __tile_global__ void befriended(int *p) {} // expected-error {{is defined in a friend declaration; define it in a namespace}}
};

__tile_global__ void kernel(int *p) {}
__tile_global__ void missing(int *p);
__global__ void device(int *p) { kernel<<<1, 1>>>(p); } // expected-error {{a kernel is launched from device code}}
__host__ __device__ void both(int *p) { kernel<<<1, 1>>>(p); } // expected-error {{a kernel is launched from device code}}
__host__ __device__ void guarded(int *p) {
#ifndef __CUDA_ARCH__
  kernel<<<1, 1>>>(p);
#endif
}
void host(int *p) { missing<<<1, 1>>>(p); } // expected-error {{is launched but not defined in this translation unit}}

struct Half : __half {
  __tile__ int bits() { return __x; } // expected-error {{'__x' is the storage of '__half', which is private; use a conversion}}
};
__tile_global__ void objects(int *p, int n) {
  int array[n]; // expected-error {{'array' has a length that is not constant; a local array has a constant length}}
  char large[1 << 25]; // expected-error {{an object of tile code has at most 16 MiB}}
  auto f = [] __device__ (int x) { return x; }; // expected-error {{a lambda is marked __device__}}
  p[1] = f(1);
}
