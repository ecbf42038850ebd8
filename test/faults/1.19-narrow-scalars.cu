// mulhi of 8- and 16-bit scalars and min of unsigned char: text that does not compile.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void narrow(const unsigned char *x, const unsigned short *y, int *o) {
  o[0] = ct::mulhi(x[0], x[1]);
  o[1] = ct::mulhi(y[0], y[1]);
  o[2] = ct::min(x[0], x[1]);
}

int main() {
  run::array<unsigned char> x(2, [](auto i) { return 200 + i; });
  run::array<unsigned short> y(2, [](auto i) { return 60000 + i; });
  run::array<int> o(3);
  narrow<<<1, 1>>>(x, y, o);
  const int wanted[] = {200 * 201 >> 8, int(60000u * 60001u >> 16), 200};
  run::expect("o", o, [&](auto i) { return wanted[i]; });
  return run::finish();
}
