// A struct with an array of tiles and other members, which is indexed at run time and copied as a
// whole: refused but on a CPU.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using row = ct::tile<int, ct::shape<32>>;

struct numbered {
  short number;
  row rows[20];
};
struct list {
  numbered parts[4];
};

__tile_global__ void copied(const int *x, int n, int *o) {
  row a = ct::load(x + ct::iota<row>());
  list all[2] = {};
  for (int i = 0; i < 20; ++i)
    all[0].parts[i % 4].rows[i] = a + i;
  all[0].parts[n & 3].number = short(n);
  all[n & 1] = all[0];
  all[n & 1].parts[1] = all[0].parts[n & 3];
  ct::store(o + ct::iota<row>(), all[n & 1].parts[1].rows[n] * all[n & 1].parts[1].number);
}

int main() {
  run::array<int> x(32, [](auto i) { return int(i); }), o(32);
  copied<<<1, 1>>>(x, 7, o);
  run::expect("o", o, [](auto i) { return 7 * (int(i) + 7); });
  return run::finish();
}
