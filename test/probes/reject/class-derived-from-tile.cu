// reject: a tile is final
#include "../show.h"

struct T : I8 {};
__tile_global__ void k(int *o, int *p, float *f, int n) {}
int main() {}
