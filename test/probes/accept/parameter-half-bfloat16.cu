// accept: half and bfloat16 values as parameters
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(float *out, __half a, __nv_bfloat16 b) {
  out[0] = float(a);
  out[1] = float(b);
}
int main() {
  Buf<float> out(2);
  k<<<1, 1>>>(out, __half(0.5f), __nv_bfloat16(3.0f));
  ran();
  out.print("out");
  return probe_bad;
}
