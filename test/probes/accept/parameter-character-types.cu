// accept: parameters of every character type
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

__tile_global__ void p(char a, signed char b, unsigned char c, wchar_t d, char8_t e, char16_t f,
                       char32_t g, int *out) {
  out[0] = a + b + c + int(d) + int(e) + int(f) + int(g);
}

__tile_global__ void k(int *out) { out[0] = 1; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
