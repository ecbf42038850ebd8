// reject: arithmetic of one type that says whether it overflowed
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void k(int *p, int n) {
  int product;
  bool overflows = __builtin_smul_overflow(n, 3, &product);
  ct::store(p, overflows ? 0 : product);
}

int main() {}
