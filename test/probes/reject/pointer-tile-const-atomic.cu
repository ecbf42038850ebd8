// reject: atomics through pointers to const
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  const int *c = p;
  ct::atomic_add(c + ct::iota<I8>(), 1, ct::memory_order_relaxed_t{});
}
int main() {}
