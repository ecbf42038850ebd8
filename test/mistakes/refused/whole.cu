// [tile:functions] What inlining finds: tile code is compiled as a whole, and ends.
#include <cuda_tile.h>

__tile__ int elsewhere(int);
__tile_global__ void calls(int *p) {
  p[0] = elsewhere(3);
  //     ^ error: 'elsewhere(int)' has no body in this translation unit; tile code is compiled as a
  //       whole [tile:functions/no-body]
  // right: p[0] = 3;
}
__tile_global__ void factorial(int *p, int n) {
  auto of = [](auto self, int x) -> int { return x ? x * self(self, x - 1) : 1; };
  //                                                     ^ error: a lambda calls itself; tile code
  //                has no recursion [tile:functions/recursion-in-code]
  // right: auto of = [](auto self, int x) -> int { return x; };
  p[0] = of(of, n);
}
