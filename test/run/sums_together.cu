// [mma] Sums that registers hold one by one and not together are divided together, with what meets
// them: two products that meet behind their loop, beside what is read there; a sum that goes to
// another one every few turns; products that begin anew and are scaled, by rows and by turns; with
// and without anything known of what is written, in place, at ragged ends, in loops that do not
// run.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;
constexpr int M = 128, N = 256, K = 32;
using sums = ct::tile<float, ct::shape<M, N>>;

template <class T, int R, int C> __tile__ auto boxes(T *p, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}}, ct::shape<R, C>{}};
}

// c = x * y + c * bias of the column, read behind the loop.
__tile_global__ void meet(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                          const bf16 *__restrict__ d, const float *__restrict__ bias,
                          float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto x = ct::zeros<sums>(), y = ct::full<sums>(1.0f);
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    auto left = boxes<const bf16, M, K>(a, m, k).load_masked(row, i);
    x = ct::mma(left, boxes<const bf16, K, N>(b, k, n).load_masked(i, column), x);
    y = ct::mma(left, boxes<const bf16, K, N>(d, k, n).load_masked(i, column), y);
  }
  auto by = ct::partition_view{ct::tensor_span{bias, ct::extents{n}}, ct::shape<N>{}};
  auto factors = ct::reshape(by.load_masked(column), ct::shape<1, N>{});
  auto cs = boxes<float, M, N>(c, m, n);
  cs.store_masked(x * y + cs.load_masked(row, column) * factors, row, column);
}

// The same sum in two levels; the result is stored where the first factor was read.
__tile_global__ void levels(bf16 *a, const bf16 *b, int n) {
  auto as = boxes<bf16, M, K>(a, M, n);
  auto outer = ct::zeros<sums>(), inner = ct::zeros<sums>();
  for (int i = 0; i < ct::ceildiv(n, K); ++i) {
    inner =
        ct::mma(as.load_masked(0, i), boxes<const bf16, K, N>(b, n, n).load_masked(i, 0), inner);
    if (i % 3 == 2) {
      outer = outer + inner;
      inner = ct::zeros<sums>();
    }
  }
  boxes<bf16, M, N>(a, M, n).store_masked(ct::element_cast<bf16>(outer + inner), 0, 0);
}

__tile_global__ void scaled(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                            const float *__restrict__ of_rows, const float *__restrict__ of_turns,
                            float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::zeros<sums>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    auto product = ct::mma(boxes<const bf16, M, K>(a, m, k).load_masked(row, i),
                           ct::transpose(boxes<const bf16, N, K>(b, n, k).load_masked(column, i)),
                           ct::zeros<sums>());
    sum = sum + product * boxes<const float, M, 1>(of_rows, m, 1).load_masked(row, 0) * of_turns[i];
  }
  boxes<float, M, N>(c, m, n).store_masked(sum, row, column);
}

double product(const run::array<bf16> &a, const run::array<bf16> &b, int row, int column, int n,
               int k) {
  double sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + column];
  return sum;
}

void check_meet(int m, int n, int k) {
  run::array<bf16> a(m * k + 1, run::small), b(k * n + 1, run::small);
  run::array<bf16> d(k * n + 1, [](std::size_t i) { return run::small(3 * i + 1); });
  run::array<float> bias(n, run::small), c(m * n, run::small), before(m * n, run::small);
  meet<<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(a, b, d, bias, c, m, n, k);
  run::expect("meet", c, [&](std::size_t i) {
    const int row = int(i) / n, column = int(i) % n;
    return product(a, b, row, column, n, k) * (1 + product(a, d, row, column, n, k)) +
           before.host[i] * bias.host[column];
  });
}

int main() {
  check_meet(150, 300, 100);
  check_meet(20, 30, 0);

  constexpr int n = 256;
  run::array<bf16> a(M * n, run::small), left(M * n, run::small);
  run::array<bf16> b(n * n, [](std::size_t i) { return run::small(5 * i + 2); });
  levels<<<1, 1>>>(a, b, n);
  run::expect("levels", a,
              [&](std::size_t i) { return product(left, b, int(i) / n, int(i) % n, n, n); });

  constexpr int rows = 130, columns = 260, depth = 80;
  run::array<bf16> x(rows * depth, run::small), y(columns * depth, run::small);
  run::array<float> of_rows(rows, run::small), of_turns(3, run::small), c(rows * columns);
  scaled<<<dim3(2, 2), 1>>>(x, y, of_rows, of_turns, c, rows, columns, depth);
  run::expect("scaled", c, [&](std::size_t i) {
    const std::size_t row = i / columns, column = i % columns;
    double sum = 0;
    for (int k = 0; k < depth; ++k)
      sum += x[row * depth + k] * y[column * depth + k] *
             of_rows.host[row] * of_turns.host[k / K];
    return sum;
  });
  return run::finish();
}
