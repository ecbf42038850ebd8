// Recursion that only instances show, of a lambda that is handed itself, is the program's fault.
// RUN: not %tessera %s -o - 2>&1 | FileCheck %s --implicit-check-not=error:
// CHECK: bad-recursion.cu:[[@LINE+4]]:{{.*}} error: a lambda calls itself; tile code has no recursion [tile:functions/recursion-in-code]
#include <cuda_tile.h>

__tile_global__ void factorial(int *p, int n) {
  auto of = [](auto self, int x) -> int { return x ? x * self(self, x - 1) : 1; };
  *p = of(of, n);
}
