// reject: a default argument calls a function of the host where tile code uses it
#include <cuda_tile.h>

int of_host(int);
template <class T> __tile__ int f(T x, int n = of_host(T())) { return int(x) + n; }
__tile_global__ void k(int *o) { o[0] = f(1); }
int main() {}
