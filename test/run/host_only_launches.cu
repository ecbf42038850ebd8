// Launches that the host alone sees, of kernels that every pass knows: by explicit instantiation,
// by address, by a declaration.
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
inline void launch(int *p) {
#ifndef __CUDA_ARCH__
  k<3><<<1, 1>>>(p);
  tagged<tag><<<1, 1>>>(p);
  forward<<<1, 1>>>(p);
#else
  (void)p;
#endif
}
__tile_global__ void forward(int *o) { o[0] += 10; }
int main() {
  run::array<int> o(1);
  launch(o);
  run::expect("o", o, [](auto) { return 17; });
  return run::finish();
}
