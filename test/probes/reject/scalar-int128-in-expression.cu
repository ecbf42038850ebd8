// reject: an expression of 128 bits
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) { o[0] = int((unsigned __int128)(n) * 3 >> 1); }
int main() {}
