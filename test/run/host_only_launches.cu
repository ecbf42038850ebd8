// Launches that the host alone sees, of kernels that every pass knows: by explicit instantiation,
// by address, by a declaration. There, too, a launch may have lists, and a tile function may lack
// its specifiers.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
template <int N, class T = int> __tile_global__ void k(T *o) { o[0] += N; }
template __tile_global__ void k<3>(int *);
namespace {
struct tag {
  static constexpr int value = 4;
};
} // namespace
template <class Tag> __tile_global__ void tagged(int *o) { o[0] += Tag::value; }
auto *named = &tagged<tag>;
__tile_global__ void forward(int *o);
template <class T> __tile__ T plus(T x) { return x + 1; }
template <> int plus<int>(int x) { return x + 100; } // that every pass respells
__tile_global__ void hundred(int *o) { o[0] = plus(o[0]); }
#ifndef __CUDA_ARCH__
#define ON_HOST(...) __VA_ARGS__
__host__ __tile__ int of_host(int x);
int of_host(int x) { return x; }
#else
#define ON_HOST(...)
#endif
inline void launch(int *p) {
#ifndef __CUDA_ARCH__
  k<3><<<1, 1>>>(p);
  tagged<tag><<<1, 1>>>(p);
  forward<<<{1, 1}, {1}>>>(p);
  forward<<<{unsigned(of_host(1))}, 1, {}, {}>>>(p);
  ON_HOST(forward<<<{1, 1, 1}, 1>>>(p);)
#else
  (void)p;
#endif
}
#define FORMS(...) __VA_ARGS__
__tile_global__ void forward(int *o) { o[0] += 10; }
int main() {
  run::array<int> o(1);
  launch(o);
  FORMS(hundred<<<{1}, {1}>>>(o);)
  run::expect("o", o, [](auto) { return 137; });
  return run::finish();
}
