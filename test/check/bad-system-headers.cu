// The rules hold for tile code in headers of the system as well; where it declares something that
// is not of tile code is not said.
// RUN: %clang_plugin -fsyntax-only -Xclang -verify %s
#include <cuda_tile.h>
namespace library {
# 1 "library.h" 1 3
__tile_global__ void kernel(int *p) { p[0] = threadIdx.x; } // expected-error {{tile code names 'threadIdx'}}
inline __device__ int simt() { return 1; }
template <class T> __tile__ T function() { return simt(); } // expected-error {{tile code calls 'simt'}}
template <class T> __host__ __device__ __tile__ T shared() { return simt(); }
# 10 "bad-system-headers.cu" 2
} // namespace library
__tile_global__ void user(int *p) { p[0] = library::function<int>() + library::shared<int>(); }
// expected-note@-1 {{in function<int>, called at}}
