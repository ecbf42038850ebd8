// reject: tiles of pointers to pointers
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  int **pp = reinterpret_cast<int **>(f);
  auto q = ct::load(pp + ct::iota<I8>());
}
int main() {}
