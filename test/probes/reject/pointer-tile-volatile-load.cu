// reject: loads through pointers to volatile
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  volatile int *v = p;
  ct::store(o + ct::iota<I8>(), ct::load(v + ct::iota<I8>()));
}
int main() {}
