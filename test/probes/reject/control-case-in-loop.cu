// reject: a case label within a loop
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  int i = 0;
  switch (n % 4) {
  case 0: do { o[i++] = 1;
    case 3: o[i++] = 2;
    case 2: o[i++] = 3;
    case 1: o[i++] = 4;
    } while (i < 8);
  }
}
int main() {}
