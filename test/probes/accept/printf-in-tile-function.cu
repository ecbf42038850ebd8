// accept: printf in tile functions, templates and lambdas
#include <cuda_tile.h>
#include "../probe.h"
template <class T> __tile__ void show(T x) { printf("%d\n", int(x)); }
__tile_global__ void k() {
  show(3.5f);
  auto f = [](int x) { printf("lambda %d\n", x); };
  for (int i = 0; i < 2; i++)
    f(i);
}
int main() {
  k<<<1, 1>>>();
  ran();
  return probe_bad;
}
