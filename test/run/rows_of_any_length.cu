// Rows that end anywhere in their tiles, of which launches leave out the warps behind the last
// column: what padding adds to a reduction counts nevertheless. Rows of one and of several in a
// block, of one dimension, with their own stride, into rows of other lengths, between groups of 16
// bytes, behind a return, in a loop, longer than the tile, and without an element.
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;
using ct::view_padding;

constexpr int width = 4096; // of tiles

template <int R, class T> __tile__ auto rows_of(T *p, int rows, unsigned columns, int stride) {
  using namespace ct::literals;
  auto places = ct::layout_strided_mapping{ct::extents{rows, columns}, ct::strides{stride, 1_ic}};
  return ct::partition_view{ct::tensor_span{p, places}, ct::shape<R, width>{}};
}

template <int R, class T>
__tile__ auto read(const T *p, int row, int rows, unsigned columns, int stride) {
  return ct::element_cast<float>(rows_of<R>(p, rows, columns, stride).load_masked(row, 0));
}

/// exp(x) as parts of their sum.
template <int R, class T>
__tile_global__ void softmax(const T *x, T *y, int rows, unsigned columns, int stride) {
  const int row = ct::bid().x;
  auto v = ct::element_cast<float>(rows_of<R>(x, rows, columns, stride)
                                       .template load_masked<view_padding::negative_inf>(row, 0));
  auto e = ct::exp(v - ct::reduce_max<1>(v));
  rows_of<R>(y, rows, columns, stride).store_masked(ct::element_cast<T>(e / ct::sum<1>(e)), row, 0);
}

/// x less its mean, divided by its standard deviation, times a weight.
template <int R, class T> __tile_global__ void norm(const T *x, const T *weight, T *y, int rows,
                                                    unsigned columns, int stride) {
  const int row = ct::bid().x;
  if (row * R >= rows)
    return;
  auto v = read<R>(x, row, rows, columns, stride);
  auto mean = ct::sum<1>(v) / float(columns);
  auto inside = ct::iota<ct::tile<int, ct::shape<1, width>>>() < int(columns);
  auto c = ct::select(inside, v - mean, ct::zeros<decltype(v)>());
  auto scale = ct::rsqrt(ct::sum<1>(c * c) / float(columns) + 1e-5f);
  auto w = read<1>(weight, 0, 1, columns, int(columns));
  rows_of<R>(y, rows, columns, stride).store_masked(ct::element_cast<T>(c * scale * w), row, 0);
}

/// The same by blocks that take row after row, whose padding counts: mean and spread are those of
/// the whole tile.
template <class T>
__tile_global__ void padded_norm(const T *x, T *y, int rows, unsigned columns, int stride) {
  for (int row = ct::bid().x; row < rows; row += ct::num_blocks().x) {
    auto v = read<1>(x, row, rows, columns, stride);
    auto c = v - ct::sum<1>(v) / float(width);
    auto scale = ct::rsqrt(ct::sum<1>(c * c) / float(width) + 1e-5f);
    rows_of<1>(y, rows, columns, stride).store_masked(ct::element_cast<T>(c * scale), row, 0);
  }
}

/// x less the row's largest element and the smallest, where those of the padding, zeros, count; and
/// the sum of exp(x), where each of them counts as one.
template <class T>
__tile_global__ void with_zeros(const T *x, T *y, int rows, unsigned columns, int stride) {
  const int row = ct::bid().x;
  auto v = read<1>(x, row, rows, columns, stride);
  auto most = ct::reduce_max<1>(v), least = ct::reduce_min<1>(v);
  rows_of<1>(y, rows, columns, stride).store_masked(ct::element_cast<T>(v - most - least), row, 0);
}
template <class T>
__tile_global__ void with_ones(const T *x, T *y, int rows, unsigned columns, int stride) {
  const int row = ct::bid().x;
  auto v = read<1>(x, row, rows, columns, stride);
  auto sum = ct::sum<1>(ct::exp(v));
  rows_of<1>(y, rows, columns, stride).store_masked(ct::element_cast<T>(v + sum), row, 0);
}

/// x plus the sum of its row, into rows of other lengths: behind the columns of x the sum alone.
template <class T> __tile_global__ void into_others(const T *x, T *y, int rows, unsigned columns,
                                                    int stride, std::size_t of_y) {
  const int row = ct::bid().x;
  auto v = read<1>(x, row, rows, columns, stride);
  rows_of<1>(y, rows, unsigned(of_y), int(of_y))
      .store_masked(ct::element_cast<T>(v + ct::sum<1>(v)), row, 0);
}

/// x plus the sum of its row, to an end that a narrow type makes longer: 200 is -56 there, which is
/// a length beyond the tile.
__tile_global__ void to_longer_end(const float *x, float *y, int rows, unsigned columns,
                                   int stride) {
  const int row = ct::bid().x;
  const unsigned end = unsigned(int((signed char)columns));
  auto v = read<1>(x, row, rows, end, stride);
  rows_of<1>(y, rows, end, stride).store_masked(v + ct::sum<1>(v), row, 0);
}

/// Of integers of one dimension: x plus their sum, x or all bits.
__tile_global__ void of_integers(const int *x, int *y, unsigned columns) {
  auto from = ct::partition_view{ct::tensor_span{x, ct::extents{columns}}, ct::shape<width>{}};
  auto to = ct::partition_view{ct::tensor_span{y, ct::extents{columns}}, ct::shape<width>{}};
  auto v = from.load_masked(0);
  auto sum = ct::sum<0>(v), bits = ct::reduce_bitor<0>(v);
  to.store_masked(v + sum + bits, 0);
}

struct form {
  unsigned columns;
  int stride, offset;
};

template <class T> struct rows_in_memory {
  static constexpr int rows = 6;
  form of;
  run::array<T> x, y;

  rows_in_memory(form of, double shift)
      : of(of), x(size(of), [&](auto i) { return run::small(i) + shift; }), y(size(of)) {}
  static std::size_t size(form of) { return std::size_t(rows) * of.stride + of.offset + 8; }
  T *from() { return x + of.offset; }
  T *to() { return y + of.offset; }
  // Of the elements of rows; nothing is written elsewhere.
  template <class F> void expect(const char *name, double tolerance, F f) {
    run::expect(
        name, y,
        [&](std::size_t i) -> double {
          if (i < std::size_t(of.offset))
            return 0;
          const std::size_t row = (i - of.offset) / of.stride, column = (i - of.offset) % of.stride;
          return row < rows && column < of.columns ? f(row, column) : 0.0;
        },
        tolerance);
  }
  double at(std::size_t row, std::size_t column) const {
    return x[of.offset + row * of.stride + column];
  }
  template <class F> std::vector<double> sums(F f) const {
    std::vector<double> sums(rows);
    for (int row = 0; row < rows; ++row)
      for (unsigned column = 0; column < std::min(of.columns, unsigned(width)); ++column)
        sums[row] += f(row, at(row, column));
    return sums;
  }
};

template <class T> void test(const char *name, form of, double tolerance) {
  constexpr int rows = rows_in_memory<T>::rows;
  const double n = of.columns;
  rows_in_memory<T> few(of, -1), pairs(of, -1), centers(of, 3), padded(of, 3), zeros(of, -40),
      ones(of, -2);
  run::array<T> weight(of.columns + 1, [](auto i) { return run::small(i + 7); });
  auto launch = [&](auto kernel, auto &memory, int blocks) {
    kernel<<<blocks, 1>>>((const T *)memory.from(), memory.to(), rows, of.columns, of.stride);
  };
  launch(softmax<1, T>, few, rows);
  launch(softmax<2, T>, pairs, rows / 2);
  norm<1, T><<<rows + 1, 1>>>((const T *)centers.from(), (const T *)weight, centers.to(), rows,
                              of.columns, of.stride);
  launch(padded_norm<T>, padded, 4);
  launch(with_zeros<T>, zeros, rows);
  launch(with_ones<T>, ones, rows);
  cudaDeviceSynchronize();

  for (rows_in_memory<T> *memory : {&few, &pairs}) {
    const std::vector<double> sums = memory->sums([](int, double x) { return std::exp(x); });
    memory->expect(name, tolerance, [&](auto row, auto column) {
      return std::exp(memory->at(row, column)) / sums[row];
    });
  }
  auto normed = [&](rows_in_memory<T> &memory, double count, bool isPadded, auto weightOf) {
    const std::vector<double> sums = memory.sums([](int, double x) { return x; });
    std::vector<double> squares =
        memory.sums([&](int row, double x) { return std::pow(x - sums[row] / count, 2); });
    for (int row = 0; row < rows && isPadded; ++row)
      squares[row] += (count - n) * std::pow(sums[row] / count, 2);
    memory.expect(name, tolerance, [&](auto row, auto column) {
      return (memory.at(row, column) - sums[row] / count) / std::sqrt(squares[row] / count + 1e-5) *
             weightOf(column);
    });
  };
  normed(centers, n, false, [&](auto column) { return weight[column]; });
  normed(padded, width, true, [](auto) { return 1.0; });
  std::vector<double> most(rows, n < width ? 0 : -100), least(rows, 0);
  zeros.sums([&](int row, double x) {
    most[row] = std::max(most[row], x), least[row] = std::min(least[row], x);
    return x;
  });
  zeros.expect(name, tolerance, [&](auto row, auto column) {
    return zeros.at(row, column) - most[row] - least[row];
  });
  const std::vector<double> exps = ones.sums([](int, double x) { return std::exp(x); });
  ones.expect(name, tolerance, [&](auto row, auto column) {
    return ones.at(row, column) + exps[row] + (width - n);
  });
}

void test_integers(unsigned columns) {
  run::array<int> x(columns, [](auto i) { return int(i % 1000) - 3; }), y(columns);
  of_integers<<<1, 1>>>(x, y, columns);
  cudaDeviceSynchronize();
  int sum = 0, bits = 0;
  for (unsigned i = 0; i < columns; ++i)
    sum += int(i % 1000) - 3, bits |= int(i % 1000) - 3;
  run::expect("of integers", y, [&](std::size_t i) { return int(i % 1000) - 3 + sum + bits; }, 0);
}

template <class T> void test_others(unsigned columns, std::size_t of_y, double tolerance) {
  constexpr int rows = 3;
  run::array<T> x(rows * columns, [](auto i) { return run::small(i) / 64; }), y(rows * of_y);
  into_others<T><<<rows, 1>>>((const T *)x, (T *)y, rows, columns, int(columns), of_y);
  cudaDeviceSynchronize();
  std::vector<double> sums(rows);
  for (std::size_t i = 0; i < rows * columns; ++i)
    sums[i / columns] += x[i];
  run::expect(
      "into rows of other lengths", y,
      [&](std::size_t i) {
        const std::size_t row = i / of_y, column = i % of_y;
        return sums[row] + (column < columns ? x[row * columns + column] : 0);
      },
      tolerance);
}

void test_longer_end() {
  constexpr int rows = 2;
  run::array<float> x(rows * width, [](auto i) { return run::small(i) / 64; }), y(rows * width);
  to_longer_end<<<rows, 1>>>((const float *)x, (float *)y, rows, 200, width);
  cudaDeviceSynchronize();
  std::vector<double> sums(rows);
  for (std::size_t i = 0; i < rows * width; ++i)
    sums[i / width] += x[i];
  run::expect("to a longer end", y, [&](std::size_t i) { return x[i] + sums[i / width]; }, 1e-4);
}

// The first row is the largest of no element, the second one nothing but -inf.
void test_without_numbers() {
  constexpr unsigned columns = 2049;
  constexpr int rows = 2;
  run::array<float> x(
      rows * columns,
      [](auto i) { return i < columns ? 1.0 : -std::numeric_limits<double>::infinity(); }),
      y(rows * columns), nothing(1);
  softmax<1, float><<<rows, 1>>>((const float *)x, (float *)y, rows, columns, int(columns));
  softmax<1, float><<<rows, 1>>>((const float *)x, (float *)nothing, rows, 0, 8);
  cudaDeviceSynchronize();
  y.fetch(), nothing.fetch();
  int wrong = nothing[0] != 0;
  for (std::size_t i = 0; i < rows * columns; ++i)
    wrong += i < columns ? std::abs(y[i] * columns - 1) > 1e-5 : !std::isnan(y[i]);
  run::array<int> count(1, [&](auto) { return wrong; });
  run::expect("rows of -inf", count, [](std::size_t) { return 0; }, 0);
}

int main() {
  for (form of : {form{1, 1, 0},
                  {31, 40, 0},
                  {1024, 1024, 1},
                  {1025, 1025, 0},
                  {2048, 2049, 0},
                  {2056, 2056, 4},
                  {2500, 2504, 0},
                  {3072, 3072, 0},
                  {3073, 3100, 3},
                  {4096, 4096, 0},
                  {4095, 4097, 0}}) {
    test<float>("rows of float", of, 2e-4);
    test<bf16>("rows of bf16", of, 2e-2);
  }
  for (unsigned columns : {1u, 100u, 1024u, 2047u, 3000u, 4096u})
    test_integers(columns);
  for (unsigned columns : {100u, 1500u, 4096u})
    for (std::size_t of_y : {std::size_t(96), std::size_t(1025), std::size_t(3500)}) {
      test_others<float>(columns, of_y, 1e-4);
      test_others<bf16>(columns, of_y, 2e-2);
    }
  test_longer_end();
  test_without_numbers();
  return run::finish();
}
