// A function that is declared __tile__ and declared again without is the same function: defined
// later or before, a member, a constructor, a template, a member of one, one that calls other tile
// functions.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

__tile__ int later(int);
__tile__ int twice(int x) { return 2 * x; }
__tile__ int calls(int);
int before(int x) { return x + 1; }
__tile__ int before(int);
template <class T> __tile__ T pattern(T);
__host__ __device__ __tile__ int everywhere(int);

struct object {
  int value;
  __tile__ object(int);
  __tile__ int member(int);
  static __tile__ int of_class(int);
};

template <class T> struct holder {
  __tile__ T twice(T);
  template <class U> __tile__ U added(U);
  T value;
};

namespace inner {
__tile__ int *address(int *p);
}

__tile_global__ void k(int *p) {
  object o(later(1));
  p[0] = o.member(2);
  p[1] = object::of_class(3);
  p[2] = calls(4);
  p[3] = before(5);
  p[4] = pattern(6);
  *inner::address(p) = everywhere(7);
  holder<int> h{3};
  p[7] = h.twice(4) + h.added(5.0f);
}
__global__ void simt(int *p) { p[6] = everywhere(8); }

template <class T> T holder<T>::twice(T x) { return x * 2; }
template <class T> template <class U> U holder<T>::added(U x) { return U(x + value); }

int later(int x) { return x * 10; }
int calls(int x) { return twice(x) + 1; }
template <class T> T pattern(T x) { return x + T(100); }
int everywhere(int x) { return x * x; }
object::object(int x) : value(x) {}
int object::member(int x) { return value + x; }
int object::of_class(int x) { return -x; }
int *inner::address(int *p) { return p + 5; }

int main() {
  run::array<int> p(8);
  k<<<1, 1>>>(p);
  simt<<<1, 1>>>(p);
  const int wanted[] = {12, -3, 9, 6, 106, 49, 64, 16};
  run::expect("results", p, [&](auto i) { return wanted[i]; });
  return run::finish() + (everywhere(2) != 4);
}
