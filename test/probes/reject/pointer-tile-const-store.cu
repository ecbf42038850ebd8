// reject: stores through pointers to const
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  const int *c = p;
  ct::store(c + ct::iota<I8>(), ct::iota<I8>());
}
int main() {}
