// reject: element_cast takes no const away
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  const int *c = p;
  auto x = ct::element_cast<int *>(c + ct::iota<I8>());
}
int main() {}
