// accept: launches in generic lambdas, conditional and comma expressions
#include <cuda_tile.h>
#include "../probe.h"
template <int N> __tile_global__ void k(int *out) { out[N] = N + 1; }
int main() {
  Buf<int> out(4);
  auto launch = [&]<int N>() { k<N><<<1, 1>>>(out); };
  launch.template operator()<0>();
  true ? k<1><<<1, 1>>>(out) : k<0><<<1, 1>>>(out);
  k<2><<<1, 1>>>(out), k<3><<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
