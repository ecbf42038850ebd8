// reject: a function is an argument of a template by its address
#include <cuda_tile.h>

__tile__ int f(int x) { return x + 1; }
template <int (*g)(int)> __tile__ int call(int x) { return g(x); }
__tile_global__ void k(int *p) { p[0] = call<&f>(3); }
int main() {}
