// reject: min of pointers
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto z = ct::min(p + ct::iota<I8>(), p + 4);
}
int main() {}
