// reject: pointers and nullptr have no order
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  ct::store(o + i, ct::element_cast<int>(p + i < nullptr));
}
int main() {}
