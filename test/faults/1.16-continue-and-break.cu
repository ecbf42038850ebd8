// Ordinary control flow ended in a silent exit 1.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void branches(const int *p, int n, int *o) {
  int a = 0, b = 0, c = 0;
  for (int i = 0; i < n; i++) {
    if (p[i] & 1) {
      a++;
      if (p[i] & 2)
        continue;
      b++;
    } else if (p[i] & 4)
      break;
    c++;
  }
  o[0] = a;
  o[1] = b;
  o[2] = c;
}

int main() {
  const int values[] = {1, 3, 2, 5, 0, 7, 4, 1}, wanted[] = {4, 2, 4};
  run::array<int> p(8, [&](auto i) { return values[i]; }), o(3);
  branches<<<1, 1>>>(p, 8, o);
  run::expect("o", o, [&](auto i) { return wanted[i]; });
  return run::finish();
}
