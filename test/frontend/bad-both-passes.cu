// Without a GPU one text is the program for host and kernels: what differs between the passes, but
// for bodies of functions, and is named by what runs as device code there, has no answer. Emulated
// tile code is the device's pass's own.
// RUN: %tessera -o /dev/null %s
// RUN: not %tessera --target=emulate -o /dev/null %s 2>&1 | FileCheck %s --check-prefixes=CHECK --implicit-check-not=error:
// RUN: not %tessera --target=cpu -o /dev/null %s 2>&1 | FileCheck %s --check-prefixes=CHECK,CPU --implicit-check-not=error:
#include <cuda_runtime.h>
#include <cuda_tile.h>

#ifdef __CUDA_ARCH__
using real = float;
#define COUNT 4
#define BODY(x) {return x;}
#else
using real = double;
#define COUNT 8
#define BODY(x) {return x + 1;}
#endif
struct sized {
  int values[COUNT];
};
using alias = sized;
struct with_start {
  int x;
  // CHECK-DAG: :[[@LINE+1]]:{{.*}}error: not supported yet: 'with_start::with_start' differs between the host pass and the device pass (__CUDA_ARCH__), but a program without a GPU has one definition for both; use __CUDA_ARCH__ in bodies of functions, outside of macros [tile:specifiers/passes-differ]
  __host__ __device__ with_start() : x(COUNT) {}
};
// CHECK-DAG: :[[@LINE+1]]:{{.*}}error: not supported yet: 'of_macro' differs
__host__ __device__ int of_macro(int x) BODY(x)
constexpr __host__ __device__ __tile__ int count() { return COUNT; }
constexpr __host__ __device__ __tile__ int twice() { return 2 * count(); }
template <int N> __host__ __device__ __tile__ int value() { return N; }

// What is the host's alone may differ.
real of_host(sized s) { return s.values[0]; }
constexpr int constant_of_host = twice();

__global__ void simt(float *o) {
  // CHECK-DAG: :[[@LINE+1]]:{{.*}}error: not supported yet: 'real' differs
  o[0] = sizeof(real);
}
__global__ void through(float *o) {
  // CHECK-DAG: :[[@LINE+1]]:{{.*}}error: not supported yet: 'alias' differs
  o[0] = sizeof(alias);
}
__global__ void constants(float *o) {
  // CHECK-DAG: :[[@LINE+1]]:{{.*}}error: not supported yet: 'twice' computes a constant of device code, and its body differs between the host pass and the device pass (__CUDA_ARCH__); compute the constant at run time [tile:specifiers/constants-differ]
  o[0] = value<twice()>();
}
__tile_global__ void tile(float *o) {
  // CPU-DAG: :[[@LINE+1]]:{{.*}}error: not supported yet: 'real' differs
  o[0] = sizeof(real);
}
__global__ void right(float *o) { o[0] = count() + twice(); }
int main() { return of_host({}) + constant_of_host; }
