// [tile:specifiers] What a program that runs without a GPU cannot have twice.
// options: --target=emulate
#include <cuda_runtime.h>
#include <cuda_tile.h>

#ifdef __CUDA_ARCH__
using real = float;
#define COUNT 4
#else
using real = double;
#define COUNT 8
#endif
constexpr __host__ __device__ __tile__ int count() { return COUNT; }
template <int N> __host__ __device__ __tile__ int value() { return N; }

__global__ void sizes(float *o) {
  o[0] = sizeof(real);
  //            ^ error: not supported yet: 'real' differs between the host's pass and the device's
  //              (__CUDA_ARCH__), and a program that runs without a GPU has one of it for both; let
  //              bodies of functions differ, outside of macros [tile:specifiers/passes-differ]
  // right: o[0] = sizeof(float);
}
__global__ void constants(float *o) {
  o[0] = value<count()>();
  //           ^ error: not supported yet: a constant of device code that 'count' computes, whose
  //             body differs between the host's pass and the device's (__CUDA_ARCH__); without a
  //             GPU there is one constant for both; compute it at run time
  //             [tile:specifiers/constants-differ]
  // right: o[0] = count();
}
