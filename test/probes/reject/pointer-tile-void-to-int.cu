// reject: a tile of void pointers converts to no other
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  tile<void *, 8> v = p + ct::iota<I8>();
  auto w = static_cast<P8>(v);
}
int main() {}
