// reject: tiles of pointers to structs
#include "../show.h"

struct S {
  int a, b;
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  S *s = reinterpret_cast<S *>(p);
  auto q = s + ct::iota<I8>();
}
int main() {}
