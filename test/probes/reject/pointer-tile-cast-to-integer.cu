// reject: element_cast of pointers to integers
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto x = ct::element_cast<long long>(p + i);
}
int main() {}
