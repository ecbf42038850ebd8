// Recursion is refused in what a kernel comes to when it runs; constants and what nothing calls are
// the program's own.
// RUN: %tessera check %s
// RUN: not %tessera check -DIN_CODE %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <cuda_tile.h>

__tile__ int unused(int n) { return n ? unused(n - 1) : 0; }
__tile__ constexpr int constant(int n) { return n ? constant(n - 1) + 1 : 0; }
// CHECK: [[@LINE+1]]:{{.*}} error: 'through' calls itself
__tile__ constexpr int through(int n) { return n ? through(n - 1) + 1 : 0; }
// CHECK: [[@LINE+1]]:{{.*}} error: 'plain' calls itself
__tile__ int plain(int n) { return n ? plain(n - 1) : 0; }
__tile__ int odd(int n);
// CHECK: [[@LINE+1]]:{{.*}} error: 'even' calls itself
__tile__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
// CHECK: [[@LINE-3]]:{{.*}} error: 'odd' calls itself through other functions
__tile__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }
__tile__ int helper(int n) { return through(n) + even(n); }

__tile_global__ void k(int *p, int n) {
  static_assert(constant(4) == 4);
  int local[constant(3)] = {};
  switch (n) {
  case constant(2): p[0] = constant(5) + local[1]; break;
  default: p[0] = sizeof(unused(n)) + noexcept(plain(n)) + sizeof(decltype(even(n)));
  }
#ifdef IN_CODE
  p[1] = plain(4) + helper(n);
#endif
}
