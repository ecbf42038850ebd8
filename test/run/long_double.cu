// long double in tile code has double's precision, also on a CPU.
#include "run.h"
#include <cuda_tile.h>

__tile_global__ void powers(double *o, double x) {
  long double y = x;
  o[0] = double(y * y - x);
  y = 1;
  for (int i = 0; i < 10; ++i)
    y = y * x + x / 3;
  o[1] = double(y);
  y += 1.0L / (1LL << 60);
  o[2] = double((y - o[1]) * (1LL << 60));
}

int main() {
  run::array<double> out(3);
  const double x = 1.0 / 3;
  powers<<<1, 1>>>(out, x);
  volatile double y = 1;
  for (int i = 0; i < 10; ++i) {
    y = y * x;
    y = y + x / 3;
  }
  run::expect(
      "powers", out,
      [&](auto i) {
        volatile double square = x * x;
        return i == 0 ? square - x : i == 1 ? double(y) : 0;
      },
      0.0);
  return run::finish();
}
