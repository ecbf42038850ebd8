// reject: a function of the host is called in a template's code, which a requirement may name
#include <cuda_tile.h>

long of_host(int);
template <class T> __tile__ int f(T x) requires requires { of_host(x); } { return int(of_host(x)); }
__tile_global__ void k(int *o) { o[0] = f(1); }
int main() {}
