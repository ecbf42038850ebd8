// Clang's own warnings about scalar code: those of tile code come of its parse, those of all other
// code of the main action, each once. What an option turns off stays so.
// RUN: %clang_plugin -Wall -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// RUN: %if long %{ %clang_plugin -w -c %s -o /dev/null 2>&1 | count 0 %}
// RUN: not %clang_plugin -Wall -Werror -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR
#include <cuda_tile.h>
namespace ct = cuda::tiles;

#define ASSIGN(a, b) if (a = b) return
// ERROR: [[#@LINE+2]]:{{.*}} error: unused variable 'never' [-Werror,-Wunused-variable]
template <class T> __tile__ T twice(T x) {
  int never; // CHECK-DAG: [[#@LINE]]:7: warning: unused variable 'never' [-Wunused-variable]
  return x + x;
}
__tile_global__ void kernel(int *p, int n) {
  auto tile = ct::full<ct::tile<int, ct::shape<4>>>(n);
  auto count = [&](int i) {
    // CHECK-DAG: [[#@LINE+1]]:11: warning: using the result of an assignment as a condition
    if (i = n)
      return 1;
    return 2;
  };
  // CHECK-DAG: [[#@LINE+1]]:3: warning: using the result of an assignment as a condition
  ASSIGN(n, 3);
  ct::store(p + ct::iota<ct::tile<int, ct::shape<4>>>(), twice(tile) + count(n));
}
// CHECK-DAG: [[#@LINE+1]]:{{.*}} warning: unused variable 'host' [-Wunused-variable]
int main() { int host; }
