// accept: tile variables of narrow types and enumerations
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

enum class color : short { red = 3 };
__tile__ bool b = true;
__tile__ color c = color::red;
__tile__ char text[] = "abc";
__tile__ signed char s = -3;

__tile_global__ void k(int *out) {
  out[0] = b + int(c) + (text[1] == 'b') + s;
  out[1] = sizeof text;
}

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
