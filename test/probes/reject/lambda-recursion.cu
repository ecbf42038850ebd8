// reject: a lambda that calls itself
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto fact = [](auto self, int x) -> int { return x < 2 ? 1 : x * self(self, x - 1); };
  o[0] = fact(fact, n);
}
int main() {}
