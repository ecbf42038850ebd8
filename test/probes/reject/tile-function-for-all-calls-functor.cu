// reject: an instance of a template for host, device and tile code calls a __tile__ function object
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct A {
  __tile__ int operator()(int x) const { return x; }
};
template <class F> __host__ __device__ __tile__ int f(F g, int x) { return g(x); }
__tile_global__ void k(int *out) { out[0] = f(A{}, 1); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
