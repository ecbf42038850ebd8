// reject: goto
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  int i = 0;
again:
  o[i] = i;
  if (++i < n)
    goto again;
}
int main() {}
