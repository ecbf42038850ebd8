// accept: a function for host and tile code
#include <cuda_tile.h>
#include "../probe.h"
__host__ __tile__ int f(int x) { return x + 1; }
__tile_global__ void k(int *out) { out[0] = f(1); }
int main() {
  Buf<int> out(1);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  printf("%d\n", f(41));
  return probe_bad;
}
