// accept: addresses of kernels in a table of the host
#include <cuda_tile.h>
#include "../probe.h"
template <int N> __tile_global__ void k(int *out) { out[N] = N + 1; }
using kernel = void (*)(int *);
static const kernel table[] = {k<0>, k<1>, &k<2>};
int main() {
  Buf<int> out(3);
  for (kernel each : table)
    each<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
