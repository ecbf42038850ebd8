// reject: __builtin_va_list
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int f(int n, ...) {
  __builtin_va_list l;
  __builtin_va_start(l, n);
  int r = __builtin_va_arg(l, int);
  __builtin_va_end(l);
  return r;
}

__tile_global__ void k(int *out) { out[0] = f(1, 2); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
