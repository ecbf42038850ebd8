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
  //            ^ error: not supported yet: 'real' differs between the host pass and the device pass
  //              (__CUDA_ARCH__), but a program without a GPU has one definition for both; use
  //              __CUDA_ARCH__ in bodies of functions, outside of macros
  //              [tile:specifiers/passes-differ]
  // right: o[0] = sizeof(float);
}
__global__ void constants(float *o) {
  o[0] = value<count()>();
  //           ^ error: not supported yet: 'count' computes a constant of device code, and its body
  //             differs between the host pass and the device pass (__CUDA_ARCH__); compute the
  //             constant at run time [tile:specifiers/constants-differ]
  // right: o[0] = count();
}
