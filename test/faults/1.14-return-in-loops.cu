// return inside do/while and irange loops, of a function called several times: refused without a
// word.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile__ int search(const int *p, int n) {
  int i = 0, sum = 0;
  do {
    if (p[i] & 8)
      return sum;
    for (auto j : ct::irange(0, n)) {
      if (p[j] == i)
        return sum + j;
      sum += p[j];
    }
    i++;
  } while (i < n);
  return -sum;
}
__tile_global__ void searches(const int *p, int n, int *o) {
  o[0] = search(p, n);
  o[1] = search(p + 1, n - 1);
  o[2] = search(p + 2, n - 2);
}

int main() {
  const int n = 12, wanted[] = {42, 66, 61};
  run::array<int> p(n, [](auto i) { return int(i * 7 % 6) + 1; }), o(3);
  searches<<<1, 1>>>(p, n, o);
  run::expect("o", o, [&](auto i) { return wanted[i]; });
  return run::finish();
}
