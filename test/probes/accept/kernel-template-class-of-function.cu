// accept: a class with a tile function as its argument is that of a kernel
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile__ int f(int x) { return x + 1; }
template <int (*F)(int)> struct A {
  static __tile__ int go(int x) { return F(x); }
};
template <class X> __tile_global__ void k(int *out) { out[0] = X::go(1); }
int main() {
  Buf<int> out(8);
  k<A<f>><<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
