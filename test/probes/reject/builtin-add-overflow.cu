// reject: arithmetic that says whether it overflowed
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void k(int *p, int n) {
  int sum;
  bool overflows = __builtin_add_overflow(n, 3, &sum);
  ct::store(p, overflows ? 0 : sum);
}

int main() {}
