// accept: an explicit specialisation of a kernel without its mark, a constant of a class in tile code
#include <cuda_tile.h>
#include "../probe.h"

struct scale {
  int by;
  constexpr scale() : by(2) {}
};
template <class T> __tile_global__ void k(T *out) { out[0] = 1; }
template <> void k<int>(int *out) {
  constexpr scale twice;
  out[0] = 10 * twice.by;
}

int main() {
  Buf<int> out(1);
  k<int><<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
