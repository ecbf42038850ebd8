// reject: select between a pointer tile and a pointer
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  ct::store(o + i, ct::load(ct::select(i > 3, p + i, p)));
}
int main() {}
