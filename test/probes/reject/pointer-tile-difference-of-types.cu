// reject: a difference of pointers to other types
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto q = (p + ct::iota<I8>()) - (f + ct::iota<I8>());
}
int main() {}
