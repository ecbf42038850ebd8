// A program's macros of one letter and of some words, before and behind the header and its kernels,
// mean nothing in the runtime, whose parameters have such names, and keep their meaning in the
// program.
#define K 3
#define P(x) ((x) + K)
#define T this is not C++ at all
#define N 4
#define W
#define k kernel
#define p this is not C++ at all
#define e 2.71828
#define m
#define lane 0
#define bits(x) ((x) & 1)
#define first +
#define op -
#include <cuda_tile.h>
#define X 5
#undef T
#undef p
#undef e
#undef m
#undef first
#undef op
#include "run.h"

namespace ct = cuda::tiles;

__tile_global__ void k(int *o) {
  auto i = ct::iota<ct::tile<int, ct::shape<N>>>() W;
  ct::store(o + i, P(i) * X + bits(3) - lane);
}
#define E
#define A 7

int main() {
  run::array<int> o(N);
  k<<<1, 1>>>(o);
  run::expect("macros", o, [](auto i) { return (int(i) + K) * 5 + 1; });
  return run::finish();
}
