// reject: a sum of two pointer tiles
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) { auto q = (p + ct::iota<I8>()) + p; }
int main() {}
