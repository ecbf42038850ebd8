// reject: an assignment of lambdas with captures
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto make = [](int by) { return [by](int x) { return x + by; }; };
  auto a = make(1), b = make(2);
  auto c = n > 3 ? a : b;
  o[0] = c(1);
  if (n > 4)
    c = b;
  o[1] = c(1);
}
int main() {}
