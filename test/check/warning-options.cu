// A warning of the language is on, off or an error as Clang's of its group is at that place.
// RUN: %if long %{ %clang_plugin -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=warning: %}
// RUN: %clang_plugin -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %tessera check %s 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %if long %{ %clang_plugin -Wno-everything -fsyntax-only %s 2>&1 | count 0 %}
// RUN: %if long %{ %clang_plugin -w -c %s -o /dev/null 2>&1 | count 0 %}
// RUN: %tessera --target=cpu,emulate -Wno-everything %s -o %t.1.cu -o %t.2.cu 2>&1 | count 0
// RUN: %clang_plugin -Wno-unused -Wno-array-bounds -fsyntax-only %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHERS --implicit-check-not=warning:
// RUN: not %clang_plugin -Werror -Wno-error=array-bounds -Wno-error=uninitialized -c %s \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not %clang_plugin -DAS_ERROR -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=PRAGMA
// RUN: %if long %{ not %clang_plugin -DAS_ERROR -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=PRAGMA %}
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using Tile = ct::tile<float, ct::shape<16>>;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-value"
__tile_global__ void ignored(float x) { Tile{} + x; }
#pragma GCC diagnostic pop

__tile_global__ void popped(float x) {
  // CHECK: [[#@LINE+2]]:{{.*}} warning: the result of '+' is not used
  // ERROR: [[#@LINE+1]]:{{.*}} error: the result of '+' {{.*}} [-Werror,-Wunused-value]
  Tile{} + x;
}

#ifdef AS_ERROR
#pragma clang diagnostic push
#pragma clang diagnostic error "-Warray-bounds"
#endif
__tile_global__ void outside(float *p) {
  auto view = ct::partition_view(ct::tensor_span(p, ct::extents<int, 16>{}), ct::shape<16>{});
  // CHECK: [[#@LINE+4]]:{{.*}} warning: 'load' of tile 1
  // OTHERS-NOT: 'load' of tile 1
  // ERROR: [[#@LINE+2]]:{{.*}} warning: 'load' of tile 1 {{.*}} [-Warray-bounds]
  // PRAGMA: [[#@LINE+1]]:{{.*}} error: 'load' of tile 1 {{.*}} [-Werror,-Warray-bounds]
  view.store(view.load(1), 0);
}
#ifdef AS_ERROR
#pragma clang diagnostic pop
#endif

// An unfinished push of a header reaches to the end, and no further back.
__tile_global__ void behind(float *p) {
  Tile unwritten;
  // CHECK: [[#@LINE+3]]:{{.*}} warning: 'unwritten' is read
  // OTHERS: [[#@LINE+2]]:{{.*}} warning: 'unwritten' is read
  // ERROR: [[#@LINE+1]]:{{.*}} warning: 'unwritten' is read
  auto other = unwritten;
}
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wuninitialized"
#pragma clang diagnostic ignored "-Warray-bounds"
#pragma clang diagnostic ignored "-Wunused-value"
__tile_global__ void atTheEnd(float x) { Tile{} + x; }
