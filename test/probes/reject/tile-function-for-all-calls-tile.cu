// reject: an instance of a template for host, device and tile code calls a __tile__ function
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct A {
  static __tile__ int g(int x) { return x; }
};
template <class T> __host__ __device__ __tile__ int f(int x) { return T::g(x); }
__tile_global__ void k(int *out) { out[0] = f<A>(1); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
