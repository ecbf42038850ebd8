// reject: the type of a lambda of the host is a template argument of a kernel
#include <cuda_tile.h>
#include "../probe.h"
template <class F> __tile_global__ void k(int *out) { out[0] = sizeof(F) > 0; }
int main() {
  auto f = [] { return 1; };
  Buf<int> out(1);
  k<decltype(f)><<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
