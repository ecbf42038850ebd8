// Tile code calls constexpr functions of the device, which are no tile functions, where their
// values are constants; constructors, too.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

struct point {
  int x, y;
  __host__ __device__ constexpr point(int x, int y = 3) : x(x), y(y) {}
  __host__ __device__ constexpr int sum() const { return x + y; }
  __host__ __device__ static constexpr point origin() { return {0, 0}; }
};
__host__ __device__ constexpr int ceil_log2(int n) {
  int result = 0;
  while ((1 << result) < n)
    ++result;
  return result;
}
__device__ constexpr int square(int x) { return x * x; }
template <class T> __host__ __device__ constexpr const T &larger(const T &a, const T &b) {
  return a < b ? b : a;
}
template <class T> __host__ __device__ constexpr T power(T x, int n) {
  T result = 1;
  for (int i = 0; i < n; ++i)
    result *= x;
  return result;
}
template <class T> struct limits {
  __host__ __device__ static constexpr T lowest() { return T(-1000); }
};

template <class T, int N> __tile_global__ void k(T *o) {
  auto i = ct::iota<ct::tile<int, ct::shape<power(2, 3)>>>();
  constexpr point c(1);
  point p = point(N, larger(4, 5));
  p.x += 1;
  auto t = ct::full<ct::tile<T, ct::shape<8>>>(limits<T>::lowest());
  for (int j = 0; j < square(2); ++j)
    t = t + T(power(2.5f, 2) * 4);
  T rest = c.sum() + p.x * 10 + p.y * 100 + point::origin().y + ceil_log2(N * 300);
  ct::store(o + i, t + rest);
}

int main() {
  run::array<int> o(8);
  k<int, 2><<<1, 1>>>(o.device);
  run::expect("folded calls", o, [](auto) { return -1000 + 100 + 4 + 30 + 500 + 10; });
  return run::finish();
}
