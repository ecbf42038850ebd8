// accept: a pointer to float4 as a parameter, its members read
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(int *out, const float4 *in) {
  float4 v = in[1];
  out[0] = int(v.x + v.w);
  out[1] = int(in[0].y);
}
int main() {
  Buf<int> out(2);
  Buf<float> in(8, [](int i) { return i; });
  k<<<1, 1>>>(out, reinterpret_cast<const float4 *>(in.d));
  ran();
  out.print("out");
  return probe_bad;
}
