// Tile functions as template arguments of kernels, and of classes that are: by name and by address,
// of a template, a class, a namespace, in a pack, with tiles among their parameters, by default.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using tile = ct::tile<int, ct::shape<4>>;

__tile__ int plus_one(int x) { return x + 1; }
namespace inner {
static __tile__ int times_two(int x) { return x * 2; }
} // namespace inner
template <int N> __tile__ int times(int x) { return x * N; }
template <class T> __tile__ T minus_one(T x) { return x - 1; }
template <> __tile__ int minus_one<int>(int x) { return x - 10; }
struct functions {
  static __tile__ int square(int x) { return x * x; }
};
__tile__ tile doubled(tile x);
__host__ __device__ __tile__ int everywhere(int x) { return x + 100; }

template <int (*F)(int)> __tile_global__ void one(int *o, int x) { o[0] = F(x); }
template <auto F = plus_one> __tile_global__ void by_default(int *o, int x) { o[0] = F(x); }
template <int (*...F)(int)> __tile_global__ void several(int *o, int x) { ((*o++ = F(x)), ...); }
template <tile (*F)(tile)> __tile_global__ void of_tiles(int *o) {
  ct::store(o + ct::iota<tile>(), F(ct::iota<tile>() + 1));
}

template <int (*F)(int)> struct applies {
  static __tile__ int go(int x) { return F(F(x)); }
};
using applies_twice = applies<inner::times_two>;
template <class A> __tile_global__ void of_class(int *o, int x) { o[0] = A::go(x); }

template <int (*F)(int)> void launch(int *o) { one<F><<<1, 1>>>(o, 5); }

__tile__ tile doubled(tile x) { return x * 2; }

int main() {
  run::array<int> o(16);
  int *p = o;
  one<plus_one><<<1, 1>>>(p, 1);
  one<&inner::times_two><<<1, 1>>>(p + 1, 2);
  one<times<3>><<<1, 1>>>(p + 2, 3);
  one<minus_one<int>><<<1, 1>>>(p + 3, 14);
  one<functions::square><<<1, 1>>>(p + 4, 5);
  one<everywhere><<<1, 1>>>(p + 5, 6);
  by_default<><<<1, 1>>>(p + 6, 6);
  several<plus_one, times<4>><<<1, 1>>>(p + 7, 3);
  of_tiles<doubled><<<1, 1>>>(p + 9);
  of_class<applies_twice><<<1, 1>>>(p + 13, 2);
  launch<plus_one>(p + 14);
  auto *pointer = one<functions::square>;
  pointer<<<1, 1>>>(p + 15, 3);
  const int wanted[] = {2, 4, 9, 4, 25, 106, 7, 4, 12, 2, 4, 6, 8, 8, 6, 9};
  run::expect("functions", o, [&](auto i) { return wanted[i]; });
  return run::finish();
}
