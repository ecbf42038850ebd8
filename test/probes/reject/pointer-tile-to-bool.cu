// reject: pointers are no bool without a cast
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  tile<bool, 8> b = p + ct::iota<I8>();
  ct::store(o + ct::iota<I8>(), ct::element_cast<int>(b));
}
int main() {}
