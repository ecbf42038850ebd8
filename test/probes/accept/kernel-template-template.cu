// accept: a class template is a template argument of a kernel
#include <cuda_tile.h>
#include "../probe.h"
template <class T> struct plus {
  __tile__ T operator()(T a, T b) const { return a + b; }
};
template <template <class> class Op, class T> __tile_global__ void k(T *out) {
  out[0] = Op<T>{}(out[1], out[2]);
}
int main() {
  Buf<int> out({0, 3, 4});
  k<plus><<<1, 1>>>(static_cast<int *>(out));
  ran();
  out.print("out");
  return probe_bad;
}
