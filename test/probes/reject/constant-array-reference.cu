// reject: a reference to an array of the host
#include "../show.h"

constexpr int t[3] = {1, 2, 3};
template <int N> __tile__ int s(const int (&a)[N]) { return N; }
__tile_global__ void k(int *o, int *p, float *f, int n) { o[0] = s(t); }
int main() {}
