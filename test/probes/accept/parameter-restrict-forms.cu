// accept: __restrict__ in every place
#include <cuda_tile.h>
#include "../probe.h"
typedef float real;
template <class T>
__tile_global__ void k(T *__restrict__ a, const T *__restrict b, int *const __restrict__ c) {
  a[0] = b[1] + c[0];
}
int main() {
  Buf<float> out(2), in({1, 2});
  Buf<int> c({5});
  k<<<1, 1>>>(static_cast<real *>(out), in.d, c.d);
  ran();
  out.print("out");
  return probe_bad;
}
