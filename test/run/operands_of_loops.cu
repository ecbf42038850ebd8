// A factor that a loop multiplies with in every iteration is stored to shared memory before it: by
// a loop that does not run, by loops one after the other and in each other, with what is stored
// behind them in the same bytes.
#include "run.h"
#include <algorithm>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int rows = 64, depth = 32;
using product = ct::tile<float, ct::shape<rows, rows>>;

template <class T> __tile__ auto tiles_of(const T *p, int length) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{length, ct::integral_constant<depth>{}}},
                            ct::shape<rows, depth>{}};
}

// For i < n a product with x, less an eighth of each row's largest; for m <= i < n one of y[i],
// less an eighth of each column's largest; transposed.
__tile_global__ void two_loops(const __half *x, const __half *y, float *out, int m, int n) {
  auto x_tile = tiles_of(x, rows).load(0, 0);
  auto y_tiles = tiles_of(y, 4 * rows);
  auto sum = ct::zeros<product>();
  for (auto i : ct::irange(0, n)) {
    sum = ct::mma(x_tile, ct::transpose(y_tiles.load(i, 0)), sum);
    sum = sum - ct::reduce_max<1>(sum) * 0.125f;
  }
  for (auto i : ct::irange(m, n)) {
    sum = ct::mma(y_tiles.load(i, 0), ct::transpose(x_tile), sum);
    sum = sum - ct::reduce_max<0>(sum) * 0.125f;
  }
  auto out_tiles =
      ct::partition_view{ct::tensor_span{out, ct::shape<rows, rows>{}}, ct::shape<rows, rows>{}};
  out_tiles.store(ct::transpose(sum), 0, 0);
}

// x is a factor in both loops, `outer` in the inner loop alone.
__tile_global__ void nested(const __half *x, const __half *y, float *out, int m, int n) {
  auto x_tile = tiles_of(x, rows).load(0, 0);
  auto y_tiles = tiles_of(y, 4 * rows);
  auto sum = ct::zeros<product>();
  for (int i = 0; i < m; ++i) {
    auto outer = y_tiles.load(i, 0) * __half(0.5f);
    for (int j = 0; j < n; ++j) {
      sum = ct::mma(x_tile, ct::transpose(outer), sum);
      auto inner = y_tiles.load(j, 0) + outer;
      sum = ct::mma(outer, ct::transpose(inner), sum);
    }
    sum = ct::transpose(sum) * 0.25f;
  }
  auto out_tiles =
      ct::partition_view{ct::tensor_span{out, ct::shape<rows, rows>{}}, ct::shape<rows, rows>{}};
  out_tiles.store(sum, 0, 0);
}

using matrix = std::vector<double>;

matrix transposed(const matrix &a) {
  matrix b(a.size());
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j)
      b[j * rows + i] = a[i * rows + j];
  return b;
}

// sum + a * b^T
void add_product(matrix &sum, const double *a, const double *b) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j)
      for (int k = 0; k < depth; ++k)
        sum[i * rows + j] += a[i * depth + k] * b[j * depth + k];
}

void subtract_of_largest(matrix &sum) {
  for (int i = 0; i < rows; ++i) {
    const double largest = *std::max_element(&sum[i * rows], &sum[i * rows] + rows);
    for (int j = 0; j < rows; ++j)
      sum[i * rows + j] -= largest / 8;
  }
}

matrix wanted_two_loops(const matrix &x, const matrix &y, int m, int n) {
  matrix sum(rows * rows);
  for (int i = 0; i < n; ++i) {
    add_product(sum, &x[0], &y[i * rows * depth]);
    subtract_of_largest(sum);
  }
  sum = transposed(sum);
  for (int i = m; i < n; ++i) { // the transposed product
    add_product(sum, &x[0], &y[i * rows * depth]);
    subtract_of_largest(sum);
  }
  return sum;
}

matrix wanted_nested(const matrix &x, const matrix &y, int m, int n) {
  matrix sum(rows * rows);
  for (int i = 0; i < m; ++i) {
    matrix outer(rows * depth), inner(rows * depth);
    for (int e = 0; e < rows * depth; ++e)
      outer[e] = y[i * rows * depth + e] / 2;
    for (int j = 0; j < n; ++j) {
      for (int e = 0; e < rows * depth; ++e)
        inner[e] = y[j * rows * depth + e] + outer[e];
      add_product(sum, &x[0], &outer[0]);
      add_product(sum, &outer[0], &inner[0]);
    }
    sum = transposed(sum);
    for (double &s : sum)
      s /= 4;
  }
  return sum;
}

int main() {
  run::array<__half> x(rows * depth, [](auto i) { return run::small(i); });
  run::array<__half> y(4 * rows * depth, [](auto i) { return run::small(i + 5); });
  run::array<float> out(rows * rows);
  matrix x_numbers, y_numbers;
  for (int i = 0; i < rows * depth; ++i)
    x_numbers.push_back(x[i]);
  for (int i = 0; i < 4 * rows * depth; ++i)
    y_numbers.push_back(y[i]);
  for (int n : {0, 1, 4})
    for (int m : {0, 1, 4}) {
      two_loops<<<1, 1>>>(x, y, out, m, n);
      matrix wanted = wanted_two_loops(x_numbers, y_numbers, m, n);
      run::expect("two loops", out, [&](auto i) { return wanted[i]; });
      nested<<<1, 1>>>(x, y, out, m, n);
      wanted = wanted_nested(x_numbers, y_numbers, m, n);
      run::expect("nested", out, [&](auto i) { return wanted[i]; });
    }
  return run::finish();
}
