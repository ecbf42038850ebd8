// reject: select between pointer tiles of other constness
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  const int *c = p + 8;
  ct::store(o + i, ct::load(ct::select(i > 3, p + i, c + i)));
}
int main() {}
