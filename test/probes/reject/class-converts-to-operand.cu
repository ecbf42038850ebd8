// reject: a class that converts to a tile is no operand
#include "../show.h"

struct V {
  I8 t;
  __tile__ operator I8() const { return t; }
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  V a{ct::iota<I8>()};
  auto x = a + 1;
}
int main() {}
