// [tile:spaces] Functions of the C and C++ library, and barriers of CUDA, are none of tile code; it
// is said what is. What a program declares itself under such a name is its own.
// RUN: %clang_plugin -fsyntax-only -Xclang -verify -ferror-limit=0 %s
#include <algorithm>
#include <cmath>
#include <cuda_tile.h>

namespace own {
__device__ float sqrt(float); // expected-note {{'sqrt' is declared here}}
}

__tile_global__ void calls(float *p) {
  p[0] = std::sqrt(p[1]); // expected-error {{'sqrt', which is not a __tile__ function; write cuda::tiles::sqrt}}
  p[0] = expf(p[1]); // expected-error {{'expf', which is not a __tile__ function; write cuda::tiles::exp}}
  p[0] = std::max(p[1], p[2]); // expected-error {{'max', which is not a __tile__ function; write cuda::tiles::max}}
  p[0] = std::lgamma(p[1]); // expected-error-re {{'lgamma', which is not a __tile__ function{{(; --extensions allows it)?}} [}}
  p[0] = own::sqrt(p[1]); // expected-error {{'sqrt', which is not a __tile__ function; --extensions allows it}}
  __syncthreads(); // expected-error {{a tile block is one logical thread and needs no barrier}}
}
