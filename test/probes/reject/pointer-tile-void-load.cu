// reject: loads through void pointers
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  tile<void *, 8> v = p + ct::iota<I8>();
  auto w = ct::load(v);
}
int main() {}
