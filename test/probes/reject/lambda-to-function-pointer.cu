// reject: a lambda as a pointer to a function
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto g = +[](int x) { return x + 1; };
  o[0] = g(n);
}
int main() {}
