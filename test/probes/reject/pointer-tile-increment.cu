// reject: an increment of a pointer tile
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto q = p + ct::iota<I8>();
  ++q;
}
int main() {}
