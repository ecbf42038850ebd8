// More of the guessed types: wrong values of 8 and 16 bits.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void narrow(long long *o, unsigned short us, int x, const unsigned char *m) {
  signed char c = x;
  c++;
  o[0] = c;
  short s = x;
  s <<= 4;
  o[1] = s;
  o[2] = (short)(us << 8) >> 4;
  o[3] = (short)(m[1] << 8 | m[2]);
}

int main() {
  run::array<long long> o(4);
  run::array<unsigned char> m(3, [](auto i) { return 250 + i; });
  narrow<<<1, 1>>>(o, 255, 0x97f, m);
  const int wanted[] = {-128, short(0x97f0), -16, short(251 << 8 | 252)};
  run::expect("o", o, [&](auto i) { return wanted[i]; });
  return run::finish();
}
