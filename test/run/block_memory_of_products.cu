// Block memory beside a product: bytes of a sum of several warps, of factors that a loop reads, and
// a way out of the kernel, on grids for which other kernels are merged or run place by place.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
constexpr int M = 64, K = 32;
using sum_tile = ct::tile<float, ct::shape<M, M>>;

template <int R, int C, class T> __tile__ auto view(T *p, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}}, ct::shape<R, C>{}};
}

// The sum's diagonal is set, an element of each factor read at run time.
__tile_global__ void diagonal(const __half *__restrict__ a, const __half *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  if (row == column && row == 3)
    return;
  auto sum = ct::zeros<sum_tile>();
  float seen = 0;
  for (int i = 0; i < k / K; ++i) {
    auto x = view<M, K>(a, m, k).load(row, i);
    auto y = view<K, M>(b, k, n).load(i, column);
    sum = ct::mma(x, y, sum);
    seen += __half2float(reinterpret_cast<const __half *>(&x)[(i * 5 + row) * K + column]);
  }
  for (int i = 0; i < M; ++i)
    reinterpret_cast<float *>(&sum)[i * M + (i + column) % M] = seen;
  if (column & 1) {
    sum_tile parts[2] = {sum, sum + 1.0f};
    float *p = reinterpret_cast<float *>(&parts[row & 1]);
    p[row] = p[M * M - 1] + 1;
    sum = parts[row & 1];
  }
  view<M, M>(c, m, n).store(sum, row, column);
}

int main() {
  const int m = 6 * M, n = 5 * M, k = 4 * K;
  auto number = [](std::size_t i) { return int(i * 7 % 11) - 5; };
  run::array<__half> a(m * k, [&](auto i) { return float(number(i)); });
  run::array<__half> b(k * n, [&](auto i) { return float(number(i + 3)); });
  run::array<float> c(m * n);
  diagonal<<<dim3(n / M, m / M), 1>>>(a, b, c, m, n, k);
  auto at = [&](int r, int s) {
    int row = r / M, column = s / M, i = r % M, j = s % M;
    if (row == column && row == 3)
      return 0.0f;
    float seen = 0, sum = 0;
    for (int t = 0; t < k / K; ++t)
      seen += float(number((row * M + t * 5 + row) * k + t * K + column));
    for (int t = 0; t < k; ++t)
      sum += float(number(r * k + t) * number(t * n + s + 3));
    float own = (i + column) % M == j ? seen : sum;
    return column & 1 && row & 1 ? own + 1 : own;
  };
  run::expect("c", c, [&](auto e) {
    int r = int(e) / n, s = int(e) % n, row = r / M, column = s / M;
    bool is_left = row == column && row == 3;
    if (!is_left && column & 1 && r % M == 0 && s % M == row) // one element of the part
      return at(row * M + M - 1, column * M + M - 1) + 1;
    return at(r, s);
  });
  return run::finish();
}
