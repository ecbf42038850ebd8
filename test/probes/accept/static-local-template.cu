// accept: static locals of the instances of a template
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

template <class T> __tile__ int next() {
  static int n = sizeof(T);
  return n++;
}

__tile_global__ void k(int *out) {
  next<int>();
  out[0] = next<int>() * 10 + next<char>();
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
