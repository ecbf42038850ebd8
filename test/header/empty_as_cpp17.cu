// RUN: %clang_tile -std=c++17 -DTESSERA_SIMT -fsyntax-only %s
// A rewritten file may be compiled as C++17: the names of the namespaces and the macros are still
// there.
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

static_assert(__CUDACC_TILE__ == 1);
__global__ void k(int *p) { *p = 1; }
