// Where the standard is older than the header's, that is all that is said.
// RUN: not %tessera check --std=c++17 %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: %if long %{ not %tessera -std=c++14 %s -o %t.cu 2>&1 | FileCheck %s --implicit-check-not=error: %}
// RUN: not %clang_plugin -std=c++17 -fsyntax-only %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=error:
// RUN: %if long %{ not %clang_host -std=c++17 -fsyntax-only %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=error: %}
// RUN: not %tessera-nvcc -std=c++17 -arch=sm_90a -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=error:
// CHECK: standard.cu:[[#@LINE+1]]:{{.*}} error: the header of cuda::tiles is for C++20 and newer; compile with -std=c++20
#include <cuda_tile.h>

namespace ct = cuda::tiles;
template <class T> concept number = sizeof(T) > 1;
__tile_global__ void kernel(float *p) {
  auto x = ct::load(p + ct::iota<ct::tile<int, ct::shape<8>>>());
  ct::store(p, ct::round(x));
}
