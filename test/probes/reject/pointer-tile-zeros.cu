// reject: zeros of pointers
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) { auto z = ct::zeros<P8>(); }
int main() {}
