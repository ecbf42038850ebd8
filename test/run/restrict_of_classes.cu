// __restrict__ behind the name of an alias of a class or of a number, wherever a declarator may
// stand.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
struct boxed {
  int2 v;
};
using box = boxed;
namespace n {
typedef struct {
  float x;
} deep;
} // namespace n
using real = float;
template <class T> __tile__ T twice(real __restrict__ *p, T x) { return x + T(p[0]); }
template <class T>
__tile_global__ void k(n::deep __restrict__ *p, box __restrict__ const *__restrict__ q, T *o) {
  auto f = [](int2 __restrict__ *a) { return a->x; };
  int2 local{3, 4};
  box __restrict__ *r = nullptr;
  o[0] = twice(&p->x, T(f(&local) + q->v.y)) + (r == nullptr);
}
int main() {
  run::array<float> x(1, [](auto) { return 5; }), o(1);
  run::array<int> b(2, [](auto i) { return i + 10; });
  k<float><<<1, 1>>>(reinterpret_cast<n::deep *>(x.device), reinterpret_cast<const box *>(b.device),
                     o.device);
  run::expect("o", o, [](auto) { return 20; });
  return run::finish();
}
