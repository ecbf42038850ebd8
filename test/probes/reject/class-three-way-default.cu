// reject: a defaulted comparison of the host
#include "../show.h"

struct V {
  int a, b;
  auto operator<=>(const V &) const = default;
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  V a{1, n}, b{1, 3};
  o[0] = a < b;
}
int main() {}
