// accept: a tile function beside a kernel of the same name
#include <cuda_tile.h>
#include "../probe.h"
__tile__ int f(int x) { return x + 1; }
__tile_global__ void f(int *out) { out[0] = f(41); }
int main() {
  Buf<int> a(1);
  f<<<1, 1>>>(a);
  ran();
  a.print("a");
  return probe_bad;
}
