// reject: reductions of pointers
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto z = ct::reduce_max<0>(p + ct::iota<I8>());
}
int main() {}
