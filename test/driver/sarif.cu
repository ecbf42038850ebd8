// A document of SARIF has the errors of tile code, whichever parse found them, at their places.
// RUN: not %clang_plugin -fdiagnostics-format=sarif -Wno-sarif-format-unstable -fsyntax-only %s \
// RUN:   2>&1 | FileCheck %s
// RUN: %if long %{ not %clang_plugin -fdiagnostics-format=sarif -Wno-sarif-format-unstable -c %s \
// RUN:   -o /dev/null 2>&1 | FileCheck %s %}
#include <cuda_tile.h>
namespace ct = cuda::tiles;
#define TWICE(x) (x * 2.0)

// CHECK: "message":{"text":"'*' of tile<float, 4> and double:
// CHECK: "message":{"text":"the result of '-' is not used
__tile_global__ void kernel(float x) {
  auto tile = ct::full<ct::tile<float, ct::shape<4>>>(x);
  auto twice = TWICE(tile);
  tile - x;
}
