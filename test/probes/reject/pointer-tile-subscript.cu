// reject: an element of a pointer tile
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto q = p + ct::iota<I8>();
  ct::store(o + ct::iota<I8>(), ct::load(q[1]));
}
int main() {}
