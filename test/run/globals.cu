// Variables that live longer than a kernel: static locals of tile functions, shared by two kernels
// and kept between launches; constant tables; string literals; local arrays that start from
// constants and are indexed at run time.
#include "run.h"
#include <cuda_tile.h>

template <int N> __tile__ int next() {
  static int c = N;
  return c += 1;
}

__tile_global__ void first(int *o, float *f, int i) {
  static const int table[3] = {5, 6, 7};
  float weights[4] = {1, 0.5f, 3, -1};
  weights[i] = 2;
  char word[] = "tile";
  word[i] = 'm';
  o[0] = next<10>(), o[1] = next<20>(), o[2] = table[i], o[3] = "hello"[i], o[4] = word[2];
  f[0] = weights[i], f[1] = weights[i + 1];
}

__tile_global__ void second(int *o) { o[0] = next<10>(); }

int main() {
  run::array<int> o(5), p(1);
  run::array<float> f(2);
  first<<<1>>>(o, f, 2), first<<<1>>>(o, f, 2), second<<<1>>>(p);
  const int wanted[] = {12, 22, 7, 'l', 'm'};
  run::expect("first", o, [&](auto i) { return wanted[i]; });
  run::expect("weights", f, [](auto i) { return i ? -1 : 2; });
  run::expect("second", p, [](auto) { return 13; });
  return run::finish();
}
