// reject: an offset that is no integer
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) { auto q = p + ct::iota<I8>() * 1.0f; }
int main() {}
