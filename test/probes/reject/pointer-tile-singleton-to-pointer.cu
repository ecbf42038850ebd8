// reject: a one-element pointer tile is no pointer without a cast
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  tile<int *> z = p;
  int *a = z;
  o[0] = *a;
}
int main() {}
