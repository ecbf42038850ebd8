// reject: a class of a function is a template argument of a kernel
#include <cuda_tile.h>
#include "../probe.h"
template <class T> __tile_global__ void k(int *out) { out[0] = T::value; }
int main() {
  struct local {
    enum { value = 5 };
  };
  Buf<int> out(1);
  k<local><<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
