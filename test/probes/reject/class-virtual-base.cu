// reject: virtual bases
#include "../show.h"

struct A {
  int a;
};
struct B : virtual A {
  int b;
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  B b;
  b.a = n;
  o[0] = b.a;
}
int main() {}
