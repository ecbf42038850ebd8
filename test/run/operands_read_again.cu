// Operands that a loop multiplies and reads besides: sums of squares and of columns, the operand
// stored as it is, the other factor of a multiply, a tile of another shape, pointers; in one loop
// with a use in front of the multiply, in a branch, and of the last iteration behind the loop.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;
using bf16 = __nv_bfloat16;

template <int M, int N> using product = ct::tile<float, ct::shape<M, N>>;

template <int Rows, int Columns, class T>
__tile__ auto tiles_of(T *__restrict__ p, int height, int width) {
  return ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(p), ct::extents{height, width}},
                            ct::shape<Rows, Columns>{}};
}

/// c = x y; the squares of a row of x, summed, as a norm in front of the multiply needs them.
template <int M, int N, int K, class T>
__tile_global__ void squares(const T *__restrict__ x, const T *__restrict__ y,
                             float *__restrict__ c, float *__restrict__ sums, int m, int n, int k) {
  auto xs = tiles_of<M, K>(x, m, k);
  auto ys = tiles_of<K, N>(y, k, n);
  auto sum = ct::zeros<product<M, N>>();
  auto rows = ct::zeros<product<M, 1>>();
  for (int i = 0; i < (k + K - 1) / K; ++i) {
    auto a = xs.load_masked(ct::bid().y, i);
    sum = ct::mma(a, ys.load_masked(i, ct::bid().x), sum);
    auto each = ct::element_cast<float>(a);
    rows = rows + ct::sum<1>(each * each);
  }
  tiles_of<M, N>(c, m, n).store_masked(sum, ct::bid().y, ct::bid().x);
  if (ct::bid().x == 0)
    tiles_of<M, 1>(sums, m, 1).store_masked(rows, ct::bid().y, 0);
}

/// The sums of both factors, that of the second behind its multiply, the first's in front of it and
/// only in even iterations.
template <int M, int N, int K>
__tile_global__ void both(const bf16 *__restrict__ x, const bf16 *__restrict__ y,
                          float *__restrict__ c, float *__restrict__ rows_out,
                          float *__restrict__ columns_out, int m, int n, int k) {
  auto xs = tiles_of<M, K>(x, m, k);
  auto ys = tiles_of<K, N>(y, k, n);
  auto sum = ct::zeros<product<M, N>>();
  auto rows = ct::zeros<product<M, 1>>();
  auto columns = ct::zeros<product<1, N>>();
  for (int i = 0; i < (k + K - 1) / K; ++i) {
    auto a = xs.load_masked(ct::bid().y, i);
    if (i % 2 == 0)
      rows = rows + ct::sum<1>(ct::element_cast<float>(a));
    auto b = ys.load_masked(i, ct::bid().x);
    sum = ct::mma(a, b, sum);
    columns = columns + ct::sum<0>(ct::element_cast<float>(b));
  }
  tiles_of<M, N>(c, m, n).store_masked(sum, ct::bid().y, ct::bid().x);
  if (ct::bid().x == 0)
    tiles_of<M, 1>(rows_out, m, 1).store_masked(rows, ct::bid().y, 0);
  if (ct::bid().y == 0)
    tiles_of<1, N>(columns_out, 1, n).store_masked(columns, 0, ct::bid().x);
}

/// c = x x^T of a band of rows: one read is both factors.
template <int M, int K>
__tile_global__ void gram(const bf16 *__restrict__ x, float *__restrict__ c, int m, int k) {
  auto xs = tiles_of<M, K>(x, m, k);
  auto sum = ct::zeros<product<M, M>>();
  for (int i = 0; i < (k + K - 1) / K; ++i) {
    auto a = xs.load_masked(ct::bid().x, i);
    sum = ct::mma(a, ct::transpose(a), sum);
  }
  tiles_of<M, M>(c, m, M).store_masked(sum, ct::bid().x, 0);
}

/// c = x y, and a copy of x as it was multiplied; its last tile is read behind the loop.
template <int M, int N, int K>
__tile_global__ void copied(const bf16 *__restrict__ x, const bf16 *__restrict__ y,
                            float *__restrict__ c, bf16 *__restrict__ copy,
                            float *__restrict__ last, int m, int n, int k) {
  auto xs = tiles_of<M, K>(x, m, k);
  auto ys = tiles_of<K, N>(y, k, n);
  auto copies = tiles_of<M, K>(copy, m, k);
  auto sum = ct::zeros<product<M, N>>();
  auto kept = ct::zeros<ct::tile<bf16, ct::shape<M, K>>>();
  for (int i = 0; i < (k + K - 1) / K; ++i) {
    auto a = xs.load_masked(ct::bid().y, i);
    sum = ct::mma(a, ys.load_masked(i, ct::bid().x), sum);
    if (ct::bid().x == 0)
      copies.store_masked(a, ct::bid().y, i);
    kept = a;
  }
  tiles_of<M, N>(c, m, n).store_masked(sum, ct::bid().y, ct::bid().x);
  if (ct::bid().x == 0)
    tiles_of<M, 1>(last, m, 1)
        .store_masked(ct::sum<1>(ct::element_cast<float>(kept)), ct::bid().y, 0);
}

/// Batches: reads of three dimensions, of which the sum is taken; and rows by pointers.
template <int M, int N, int K>
__tile_global__ void shaped(const bf16 *__restrict__ x, const bf16 *__restrict__ y,
                            float *__restrict__ c, float *__restrict__ sums, int m, int n, int k) {
  auto span = ct::tensor_span{ct::assume_aligned<16>(x), ct::extents{2, m, k}};
  auto xs = ct::partition_view{span, ct::shape<1, M, K>{}};
  const int batch = ct::bid().y;
  auto sum = ct::zeros<product<M, N>>();
  auto all = ct::zeros<ct::tile<float, ct::shape<1, M, 1>>>();
  auto row = ct::iota<ct::tile<int, ct::shape<K>>>();
  auto column = ct::iota<ct::tile<int, ct::shape<N>>>();
  for (int i = 0; i < (k + K - 1) / K; ++i) {
    auto a = xs.load_masked(batch, ct::bid().x, i);
    auto at =
        (ct::reshape(row, ct::shape<K, 1>{}) + i * K) * n + ct::reshape(column, ct::shape<1, N>{});
    auto b = ct::load(ct::assume_aligned<16>(y) + at);
    sum = ct::mma(ct::reshape(a, ct::shape<M, K>{}), b, sum);
    all = all + ct::sum<2>(ct::element_cast<float>(a)) +
          float(ct::sum<0>(ct::sum<1>(ct::element_cast<float>(b))));
  }
  auto out = ct::partition_view{ct::tensor_span{c, ct::extents{2, m, n}}, ct::shape<1, M, N>{}};
  out.store_masked(ct::reshape(sum, ct::shape<1, M, N>{}), batch, ct::bid().x, 0);
  auto to = ct::partition_view{ct::tensor_span{sums, ct::extents{2, m, 1}}, ct::shape<1, M, 1>{}};
  to.store_masked(all, batch, ct::bid().x, 0);
}

/// Both factors of bytes, with the sums that take their zero points out.
template <int M, int N, int K>
__tile_global__ void of_bytes(const signed char *__restrict__ x, const signed char *__restrict__ y,
                              int *__restrict__ c, int *__restrict__ sums, int m, int n, int k) {
  auto xs = tiles_of<M, K>(x, m, k);
  auto ys = tiles_of<N, K>(y, n, k);
  auto sum = ct::zeros<ct::tile<int, ct::shape<M, N>>>();
  auto rows = ct::zeros<ct::tile<int, ct::shape<M, 1>>>();
  auto columns = ct::zeros<ct::tile<int, ct::shape<N, 1>>>();
  for (int i = 0; i < (k + K - 1) / K; ++i) {
    auto a = xs.load_masked(ct::bid().y, i);
    auto b = ys.load_masked(ct::bid().x, i);
    sum = ct::mma(a, ct::transpose(b), sum);
    rows = rows + ct::sum<1>(ct::element_cast<int>(a));
    columns = columns + ct::sum<1>(ct::element_cast<int>(b));
  }
  tiles_of<M, N>(c, m, n).store_masked(sum - rows - ct::transpose(columns), ct::bid().y,
                                       ct::bid().x);
  if (ct::bid().x == 0)
    tiles_of<M, 1>(sums, m, 1).store_masked(rows, ct::bid().y, 0);
}

/// In place: x is also written by the loop, behind what it reads.
template <int M, int N, int K> __tile_global__ void
in_place(bf16 *x, const bf16 *__restrict__ y, float *__restrict__ c, int m, int n, int k) {
  auto xs = ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(x), ct::extents{m, k}},
                               ct::shape<M, K>{}};
  auto ys = tiles_of<K, N>(y, k, n);
  auto sum = ct::zeros<product<M, N>>();
  for (int i = 0; i < (k + K - 1) / K; ++i) {
    auto a = xs.load_masked(ct::bid().x, i);
    sum = ct::mma(a, ys.load_masked(i, 0), sum);
    xs.store_masked(a + a, ct::bid().x, i);
  }
  tiles_of<M, N>(c, m, n).store_masked(sum, ct::bid().x, 0);
}

/// One read in two multiplies, and scaled in a third.
template <int M, int N, int K>
__tile_global__ void thrice(const bf16 *__restrict__ x, const bf16 *__restrict__ y,
                            float *__restrict__ c, float *__restrict__ d, int m, int n, int k) {
  auto xs = tiles_of<M, K>(x, m, k);
  auto ys = tiles_of<K, N>(y, k, n);
  auto sum = ct::zeros<product<M, N>>(), other = sum;
  for (int i = 0; i < (k + K - 1) / K; ++i) {
    auto a = xs.load_masked(ct::bid().y, i);
    auto b = ys.load_masked(i, ct::bid().x);
    sum = ct::mma(a, b, sum);
    other = ct::mma(ct::element_cast<bf16>(ct::element_cast<float>(a) * 2.0f), b, other);
    sum = ct::mma(a, b + b, sum);
  }
  tiles_of<M, N>(c, m, n).store_masked(sum, ct::bid().y, ct::bid().x);
  tiles_of<M, N>(d, m, n).store_masked(other, ct::bid().y, ct::bid().x);
}

struct matrix {
  int rows, columns;
  std::vector<double> at;
  template <class T> matrix(const run::array<T> &from, int rows, int columns)
      : rows(rows), columns(columns) {
    for (int i = 0; i < rows * columns; ++i)
      at.push_back(from[i]);
  }
  double operator()(int row, int column) const { return at[std::size_t(row) * columns + column]; }
};

double dot(const matrix &x, const matrix &y, int row, int column) {
  double sum = 0;
  for (int i = 0; i < x.columns; ++i)
    sum += x(row, i) * y(i, column);
  return sum;
}

template <int M, int N, int K, class T> void test_squares(const char *name, int m, int n, int k) {
  run::array<T> x(m * k, run::small), y(k * n, [](auto i) { return run::small(i + 7); });
  run::array<float> c(m * n), sums(m);
  const matrix xs(x, m, k), ys(y, k, n);
  squares<M, N, K, T><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(x, y, c, sums, m, n, k);
  run::expect(name, c, [&](auto i) { return dot(xs, ys, int(i / n), int(i % n)); });
  run::expect("squares", sums, [&](auto row) {
    double sum = 0;
    for (int i = 0; i < k; ++i)
      sum += xs(int(row), i) * xs(int(row), i);
    return sum;
  });
}

template <int M, int N, int K> void test_both(int m, int n, int k) {
  run::array<bf16> x(m * k, run::small), y(k * n, [](auto i) { return run::small(i + 7); });
  run::array<float> c(m * n), rows(m), columns(n);
  const matrix xs(x, m, k), ys(y, k, n);
  both<M, N, K><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(x, y, c, rows, columns, m, n, k);
  run::expect("both", c, [&](auto i) { return dot(xs, ys, int(i / n), int(i % n)); });
  run::expect("rows", rows, [&](auto row) {
    double sum = 0;
    for (int i = 0; i < k; ++i)
      sum += i / K % 2 == 0 ? xs(int(row), i) : 0;
    return sum;
  });
  run::expect("columns", columns, [&](auto column) {
    double sum = 0;
    for (int i = 0; i < k; ++i)
      sum += ys(i, int(column));
    return sum;
  });
}

template <int M, int K> void test_gram(int m, int k) {
  run::array<bf16> x(m * k, run::small);
  run::array<float> c(m * M);
  const matrix xs(x, m, k);
  gram<M, K><<<(m + M - 1) / M, 1>>>(x, c, m, k);
  run::expect("gram", c, [&](auto i) {
    const int row = int(i / M), other = row / M * M + int(i % M);
    double sum = 0;
    for (int j = 0; j < k && other < m; ++j)
      sum += xs(row, j) * xs(other, j);
    return sum;
  });
}

template <int M, int N, int K> void test_copied(int m, int n, int k) {
  run::array<bf16> x(m * k, run::small), y(k * n, [](auto i) { return run::small(i + 7); }),
      copy(m * k);
  run::array<float> c(m * n), last(m);
  const matrix xs(x, m, k), ys(y, k, n);
  copied<M, N, K><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(x, y, c, copy, last, m, n, k);
  run::expect("copied", c, [&](auto i) { return dot(xs, ys, int(i / n), int(i % n)); });
  run::expect("copy", copy, [&](auto i) { return x[i]; });
  run::expect("last", last, [&](auto row) {
    double sum = 0;
    for (int i = (k - 1) / K * K; i < k; ++i)
      sum += xs(int(row), i);
    return sum;
  });
}

template <int M, int N, int K> void test_shaped(int m, int k) {
  run::array<bf16> x(2 * m * k, run::small), y(k * N, [](auto i) { return run::small(i + 7); });
  run::array<float> c(2 * m * N), sums(2 * m);
  const matrix xs(x, 2 * m, k), ys(y, k, N);
  shaped<M, N, K><<<dim3((m + M - 1) / M, 2), 1>>>(x, y, c, sums, m, N, k);
  run::expect("shaped", c, [&](auto i) { return dot(xs, ys, int(i / N), int(i % N)); });
  run::expect("sums of both", sums, [&](auto row) {
    double sum = 0;
    for (int i = 0; i < k; ++i) {
      sum += xs(int(row), i);
      for (int j = 0; j < N; ++j)
        sum += ys(i, j);
    }
    return sum;
  });
}

template <int M, int N, int K> void test_bytes(int m, int n, int k) {
  auto small = [](auto i) { return int((i * 2654435761u >> 7) % 11) - 5; };
  run::array<signed char> x(m * k, small), y(k * n, small);
  run::array<int> c(m * n), sums(m);
  const matrix xs(x, m, k), ys(y, n, k);
  of_bytes<M, N, K><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(x, y, c, sums, m, n, k);
  run::expect("bytes", c, [&](auto i) {
    double s = 0;
    for (int j = 0; j < k; ++j)
      s += xs(int(i / n), j) * ys(int(i % n), j) - xs(int(i / n), j) - ys(int(i % n), j);
    return s;
  });
  run::expect("sums of bytes", sums, [&](auto i) {
    double s = 0;
    for (int j = 0; j < k; ++j)
      s += xs(int(i), j);
    return s;
  });
}

template <int M, int N, int K> void test_in_place(int m, int k) {
  run::array<bf16> x(m * k, run::small), y(k * N, [](auto i) { return run::small(i + 7); });
  run::array<float> c(m * N);
  const matrix xs(x, m, k), ys(y, k, N);
  in_place<M, N, K><<<(m + M - 1) / M, 1>>>(x, y, c, m, N, k);
  run::expect("in place", c, [&](auto i) { return dot(xs, ys, int(i / N), int(i % N)); });
  run::expect("doubled", x, [&](auto i) { return 2 * xs.at[i]; });
}

template <int M, int N, int K> void test_thrice(int m, int n, int k) {
  run::array<bf16> x(m * k, run::small), y(k * n, [](auto i) { return run::small(i + 7); });
  run::array<float> c(m * n), d(m * n);
  const matrix xs(x, m, k), ys(y, k, n);
  thrice<M, N, K><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(x, y, c, d, m, n, k);
  run::expect("thrice", c, [&](auto i) { return 3 * dot(xs, ys, int(i / n), int(i % n)); });
  run::expect("twice", d, [&](auto i) { return 2 * dot(xs, ys, int(i / n), int(i % n)); });
}

int main() {
  test_squares<128, 128, 64, bf16>("squares, four tiles", 250, 200, 264);
  test_squares<128, 256, 64, bf16>("squares, wide", 384, 512, 128);
  test_squares<64, 64, 32, __half>("squares, half", 128, 64, 320);
  test_squares<32, 32, 32, bf16>("squares, small", 40, 64, 160);
  test_squares<16, 8, 16, bf16>("squares, smallest", 16, 8, 80);
  test_squares<128, 64, 32, float>("squares, floats", 130, 64, 96);
  test_both<128, 128, 64>(256, 256, 192);
  test_both<64, 32, 32>(96, 72, 160);
  test_gram<64, 64>(192, 256);
  test_gram<128, 32>(200, 96);
  test_copied<128, 128, 64>(256, 128, 192);
  test_copied<32, 64, 16>(64, 64, 88);
  test_shaped<64, 64, 64>(128, 192);
  test_shaped<128, 128, 32>(256, 160);
  test_bytes<128, 128, 128>(256, 256, 384);
  test_bytes<32, 32, 32>(70, 64, 96);
  test_in_place<64, 64, 32>(128, 160);
  test_thrice<64, 64, 64>(192, 128, 256);
  test_thrice<32, 32, 16>(64, 64, 80);
  return run::finish();
}
