// reject: the address of a label
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  void *l = &&here;
  goto *l;
here:
  o[0] = 1;
}

int main() {}
