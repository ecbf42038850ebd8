// accept: a member function of a constexpr struct
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

struct S {
  int a;
  __tile__ constexpr int get() const { return a; }
};
constexpr S s = {3};

__tile_global__ void k(int *out) { out[0] = s.get(); }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
