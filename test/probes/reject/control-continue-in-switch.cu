// reject: continue in a switch leaves it
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  for (int i = 0; i < 6; ++i) {
    switch (i % 3) {
    case 0: continue;
    case 1: o[i] = 1; break;
    default: o[i] = 2;
    }
    o[i] += 10;
  }
}
int main() {}
