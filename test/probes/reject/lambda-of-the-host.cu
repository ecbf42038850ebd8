// reject: a constexpr lambda of the host
#include "../show.h"

constexpr auto twice = [](int x) { return 2 * x; };
__tile_global__ void k(int *o, int *p, float *f, int n) { o[0] = twice(n); }
int main() {}
