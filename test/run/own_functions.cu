// Functions of the program's own that share names with the library's. A call finds those of
// cuda::tiles by its arguments, and where both would do the library's is called, on every target,
// however the other takes its arguments; what suits better is the program's.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

struct other {};
template <class A, class B> __tile__ other add(A, B);
template <class A, class B> __tile__ other sub(A &&, B &&);
template <class A, class B> __tile__ other mul(A &, B &);
template <class... A> __tile__ other min(const A &...);
template <class A, class B> __tile__ other operator^(const A &, const B &);
template <class A> __tile__ A max(A a, A b) { return a + b; } // of one type: suits better
__tile__ int floordiv(int x, int y) { return x + y; }

#define MUL_TWICE(x) mul(x, x) + mul(x, x)
#define NESTED(f, x) f(f(x, x), x) // f is written once

template <class T> __tile__ T difference(T a, T b) { return sub(a, b); }
template <class T> __tile__ T halved(T a) { return floordiv(a, 2); } // the program's for int

__tile_global__ void k(int *o) {
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  auto sums = add(i, i) + difference(i + 3, i) * 100; // 2 i + 300
  auto more = MUL_TWICE(i) + min(i, 3) * 1000;        // 2 i i + 1000 min(i, 3)
  auto rest = max(i, i) + (i ^ 1) * 10;               // 2 i + 10 (i ^ 1)
  auto nested = NESTED(add, i) * 10000;               // 30000 i
  ct::store(o + i, sums + more + rest + nested + halved(i) + halved(6));
}

int main() {
  run::array<int> o(8);
  k<<<1, 1>>>(o);
  run::expect("own functions", o, [](int i) {
    return 2 * i + 300 + 2 * i * i + 1000 * std::min(i, 3) + 2 * i + 10 * (i ^ 1) + 30000 * i +
           i / 2 + 8;
  });
  return run::finish();
}
