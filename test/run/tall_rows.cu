// Rows of a block that exceed the registers of 16 warps together are computed in parts: a softmax
// of several long rows, a norm in a loop over rows with weights for all of them, statistics of one
// dimension, columns, rows that masks count, odd lengths. A sum of all rows keeps the block whole,
// as does a result that may be an operand. A row that exceeds them alone is computed in parts of
// its columns, once for each reduction; by pointers, too; of numbers below 0, of integers, of NaN.
// Rows that a loop writes at a pitch of run time are computed in parts unless they may be operands.
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

#include <algorithm>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

template <int R, int C, class T> __tile__ auto rows_of(T *p, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}}, ct::shape<R, C>{}};
}

template <int R, int C> __tile_global__ void softmax(const bf16 *__restrict__ x,
                                                     bf16 *__restrict__ y, float *__restrict__ sums,
                                                     int rows, int columns) {
  const int block = ct::bid().x;
  auto v = ct::element_cast<float>(
      rows_of<R, C>(x, rows, columns).load_masked(ct::view_padding_negative_inf_t{}, block, 0));
  auto e = ct::exp(v - ct::reduce_max<1>(v));
  auto sum = ct::sum<1>(e);
  rows_of<R, C>(y, rows, columns).store_masked(ct::element_cast<bf16>(e / sum), block, 0);
  auto row = ct::iota<ct::tile<int, ct::shape<R>>>() + block * R;
  ct::store_masked(sums + row, ct::reshape(sum, ct::shape<R>{}), row < rows);
}

// Also of rows that lie along columns: the reduction is along the first dimension.
template <int C, int R> __tile_global__ void
softmax_down(const float *__restrict__ x, float *__restrict__ y, int rows, int columns) {
  const int block = ct::bid().x;
  auto v = rows_of<R, C>(x, rows, columns).load_masked(ct::view_padding_negative_inf_t{}, 0, block);
  auto e = ct::exp(v - ct::reduce_max<0>(v));
  rows_of<R, C>(y, rows, columns).store_masked(e / ct::sum<0>(e), 0, block);
}

template <int R, int C> __tile_global__ void norm(const bf16 *__restrict__ x,
                                                  const float *__restrict__ weights,
                                                  bf16 *__restrict__ y, int rows, int columns) {
  auto weight =
      ct::reshape(ct::partition_view{ct::tensor_span{weights, ct::extents{columns}}, ct::shape<C>{}}
                      .load_masked(0),
                  ct::shape<1, C>{});
  for (int i = ct::bid().x; i * R < rows; i += ct::num_blocks().x) {
    auto v = ct::element_cast<float>(rows_of<R, C>(x, rows, columns).load_masked(i, 0));
    auto variance = ct::sum<1>(v * v) * (1.0f / columns);
    auto scaled = v * ct::rsqrt(variance + 1e-5f) * ct::broadcast<ct::shape<R, C>>(weight);
    rows_of<R, C>(y, rows, columns).store_masked(ct::element_cast<bf16>(scaled), i, 0);
  }
}

// Rows at a pitch, less their mean: as in norm, the loop has a step for a block per SM. Neither
// pointer is __restrict__ where the result may be the operand.
template <int R, int C, class Operand, class Result>
__tile__ void standardize(Operand x, Result y, int rows, int columns, int pitch) {
  auto view = [&](auto *p) {
    using namespace ct::literals;
    auto layout = ct::layout_strided_mapping{ct::extents{rows, columns}, ct::strides{pitch, 1_ic}};
    return ct::partition_view{ct::tensor_span{p, layout}, ct::shape<R, C>{}};
  };
  auto xs = view(x);
  auto ys = view(y);
  for (int i = ct::bid().x; i * R < rows; i += 3) {
    auto v = ct::element_cast<float>(xs.load_masked(i, 0));
    ys.store_masked(ct::element_cast<bf16>(v - ct::sum<1>(v) * (1.0f / columns)), i, 0);
  }
}
template <int R, int C> __tile_global__ void
standardized(const bf16 *__restrict__ x, bf16 *__restrict__ y, int rows, int columns, int pitch) {
  standardize<R, C>(x, y, rows, columns, pitch);
}
template <int R, int C> __tile_global__ void standardized_in_place(const bf16 *x, bf16 *y, int rows,
                                                                   int columns, int pitch) {
  standardize<R, C>(x, y, rows, columns, pitch);
}

// Columns in turn, at a pitch at which those of one turn follow those of the turn before: each row
// is written where the row behind it was.
template <int R, int C> __tile_global__ void
columns_in_turn(const float *__restrict__ x, float *__restrict__ y, int turns, int pitch) {
  auto view = [&](auto *p) {
    using namespace ct::literals;
    auto layout = ct::layout_strided_mapping{ct::extents{R, turns * C}, ct::strides{pitch, 1_ic}};
    return ct::partition_view{ct::tensor_span{p, layout}, ct::shape<R, C>{}};
  };
  for (int turn = 0; turn < turns; ++turn) {
    auto v = view(x).load_masked(0, turn);
    view(y).store_masked(v - ct::reduce_max<1>(v) + 100.0f * turn, 0, turn);
  }
}

// Divides by the sum of all rows of the block.
template <int R, int C> __tile_global__ void shares(const float *__restrict__ x,
                                                    float *__restrict__ y, int rows, int columns) {
  const int block = ct::bid().x;
  auto v = rows_of<R, C>(x, rows, columns).load_masked(block, 0);
  auto total = ct::sum<0>(ct::sum<1>(v));
  rows_of<R, C>(y, rows, columns).store_masked(v / ct::broadcast<ct::shape<R, C>>(total), block, 0);
}

// The result may be the operand.
template <int R, int C>
__tile_global__ void centred(const float *x, float *y, int rows, int columns) {
  const int block = ct::bid().x;
  auto v = rows_of<R, C>(x, rows, columns).load_masked(block, 0);
  rows_of<R, C>(y, rows, columns).store_masked(v - ct::sum<1>(v) * (1.0f / columns), block, 0);
}

// The maximum, which ignores NaN, to the first element.
template <int C>
__tile_global__ void largest(const float *__restrict__ x, float *__restrict__ y, int columns) {
  auto v = rows_of<1, C>(x, 1, columns).load_masked(ct::view_padding_negative_inf_t{}, 0, 0);
  auto top = ct::reduce_max<1>(v);
  auto column = ct::iota<ct::tile<int, ct::shape<1, C>>>();
  auto first = ct::select(column == 0, ct::broadcast<ct::shape<1, C>>(top),
                          ct::zeros<ct::tile<float, ct::shape<1, C>>>());
  rows_of<1, C>(y, 1, columns).store_masked(first, 0, 0);
}

// A row by pointers, its maximum and its sum: integers.
template <int C> __tile_global__ void extremes(const int *__restrict__ x, int *__restrict__ y,
                                               int *__restrict__ statistics, int columns) {
  auto column = ct::iota<ct::tile<int, ct::shape<C>>>();
  auto v = ct::load_masked(x + column, column < columns, -1000000);
  auto top = ct::reduce_max<0>(v);
  auto total = ct::sum<0>(ct::select(column < columns, v, ct::zeros<decltype(v)>()));
  ct::store_masked(y + column, v - ct::broadcast<ct::shape<C>>(top), column < columns);
  ct::store(statistics + ct::iota<ct::tile<int, ct::shape<1>>>(), top);
  ct::store(statistics + 1 + ct::iota<ct::tile<int, ct::shape<1>>>(), total);
}

template <int R, int C> void test_softmax(const char *name, int rows, int columns) {
  const std::size_t n = std::size_t(rows) * columns;
  run::array<bf16> x(n, [](auto i) { return run::small(i); }), y(n);
  run::array<float> sums(rows);
  std::vector<double> wanted(n), totals(rows);
  for (std::size_t i = 0; i < n; ++i) {
    double top = -1e9;
    if (i % columns == 0) {
      for (int j = 0; j < columns; ++j)
        top = std::max(top, x[i + j]);
      for (int j = 0; j < columns; ++j)
        totals[i / columns] += wanted[i + j] = std::exp(x[i + j] - top);
    }
    wanted[i] /= totals[i / columns];
  }
  softmax<R, C><<<(rows + R - 1) / R, 1>>>(x, y, sums, rows, columns);
  run::expect(name, y, [&](auto i) { return wanted[i]; });
  run::expect("  sums", sums, [&](auto i) { return totals[i]; }, 1e-4);
}

template <int R, int C> void test_norm(const char *name, int rows, int columns, int blocks) {
  const std::size_t n = std::size_t(rows) * columns;
  run::array<bf16> x(n, [](auto i) { return run::small(i); }), y(n);
  run::array<float> weights(columns, [](auto i) { return run::small(i + 3); });
  std::vector<double> squares(rows);
  for (std::size_t i = 0; i < n; ++i)
    squares[i / columns] += x[i] * x[i];
  norm<R, C><<<blocks, 1>>>(x, weights, y, rows, columns);
  run::expect(name, y, [&](auto i) {
    return x[i] / std::sqrt(squares[i / columns] / columns + 1e-5) * weights[i % columns];
  });
}

// Nothing is written between the rows.
template <int R, int C> void test_pitch(const char *name, int rows, int columns, int pitch) {
  const std::size_t n = std::size_t(rows) * pitch;
  std::vector<double> means(rows);
  run::array<bf16> x(n, [](auto i) { return run::small(i); }), y(n, [](auto) { return 77; }),
      z(n, [](auto i) { return run::small(i); });
  auto isInside = [&](auto i) { return int(i % pitch) < columns; };
  for (std::size_t i = 0; i < n; ++i)
    if (isInside(i))
      means[i / pitch] += x[i] / columns;
  standardized<R, C><<<3, 1>>>(x, y, rows, columns, pitch);
  auto wanted = [&](auto i) { return x[i] - means[i / pitch]; };
  run::expect(name, y, [&](auto i) { return isInside(i) ? wanted(i) : 77; });
  standardized_in_place<R, C><<<3, 1>>>(z, z, rows, columns, pitch);
  run::expect("  in place", z, [&](auto i) { return isInside(i) ? wanted(i) : x[i]; });
}

void test_columns_in_turn() {
  constexpr int R = 16, C = 4096, turns = 3;
  const std::size_t n = std::size_t(R + turns - 1) * C;
  run::array<float> x(n, [](auto i) { return run::small(i * 7 + i / C); }), y(n);
  std::vector<double> wanted(n);
  for (int turn = 0; turn < turns; ++turn)
    for (int row = 0; row < R; ++row) {
      const std::size_t first = std::size_t(row + turn) * C;
      double top = -1e9;
      for (int i = 0; i < C; ++i)
        top = std::max<double>(top, x[first + i]);
      for (int i = 0; i < C; ++i)
        wanted[first + i] = 100 * turn + x[first + i] - top;
    }
  columns_in_turn<R, C><<<1, 1>>>(x, y, turns, C);
  run::expect("columns in turn", y, [&](auto i) { return wanted[i]; });
}

int main() {
  test_columns_in_turn();
  test_softmax<2, 32768>("rows of 32768", 5, 20000);
  test_pitch<8, 4096>("rows at a pitch", 61, 3000, 3016);
  test_pitch<4, 16384>("long rows at a pitch", 17, 9999, 10001);
  test_softmax<8, 16384>("eight rows", 9, 16384);
  {
    const int rows = 9000, columns = 11;
    run::array<float> x(std::size_t(rows) * columns, [](auto i) { return run::small(i) / 8; }),
        y(x.size);
    std::vector<double> totals(columns);
    for (std::size_t i = 0; i < x.size; ++i)
      totals[i % columns] += std::exp(x[i]);
    softmax_down<8, 16384><<<2, 1>>>(x, y, rows, columns);
    run::expect("columns", y, [&](auto i) { return std::exp(x[i]) / totals[i % columns]; }, 1e-4);
  }
  test_norm<4, 16384>("a loop over rows", 13, 10000, 2);
  test_softmax<1, 65536>("a row of 65536", 2, 50001);
  test_softmax<2, 131072>("rows of 131072", 2, 70000);
  test_norm<1, 65536>("a loop over long rows", 3, 40000, 2);
  {
    const int columns = 50000;
    run::array<int> x(columns, [](auto i) { return -5 - int(i % 91); }), y(x.size), statistics(2);
    double total = 0;
    for (std::size_t i = 0; i < x.size; ++i)
      total += x[i];
    extremes<65536><<<1, 1>>>(x, y, statistics, columns);
    run::expect("integers", y, [&](auto i) { return x[i] + 5; }, 0);
    run::expect("  statistics", statistics, [&](auto i) { return i ? total : -5; }, 0);
  }
  {
    const int columns = 40000;
    run::array<float> x(columns, [](auto i) { return i < 30000 ? NAN : -7.0; }), y(x.size);
    largest<65536><<<1, 1>>>(x, y, columns);
    // The result lies over a later part of the row.
    const int shift = 16384;
    run::array<float> z(columns + shift, [](auto i) { return run::small(i); });
    double mean = 0;
    std::vector<double> moved(z.size);
    for (int i = 0; i < columns; ++i)
      mean += z[i] / columns;
    for (std::size_t i = 0; i < z.size; ++i)
      moved[i] = i < shift ? z[i] : z[i - shift] - mean;
    centred<1, 65536><<<1, 1>>>(z, z + shift, 1, columns);
    run::expect("over the row", z, [&](auto i) { return moved[i]; }, 1e-4);
    run::expect("NaN beside numbers", y, [&](auto i) { return i ? 0 : -7; }, 0);
  }
  {
    const int rows = 5, columns = 20000;
    run::array<float> x(std::size_t(rows) * columns, [](auto i) { return run::small(i) + 3; }),
        y(x.size), z(x.size, [](auto i) { return run::small(i); });
    std::vector<double> totals(3), means(rows);
    for (std::size_t i = 0; i < x.size; ++i) {
      totals[i / columns / 2] += x[i];
      means[i / columns] += z[i] / columns;
    }
    std::vector<double> centres(z.size);
    for (std::size_t i = 0; i < z.size; ++i)
      centres[i] = z[i] - means[i / columns];
    shares<2, 32768><<<3, 1>>>(x, y, rows, columns);
    run::expect(
        "shares of two rows", y, [&](auto i) { return x[i] / totals[i / columns / 2]; }, 1e-4);
    centred<2, 32768><<<3, 1>>>(z, z, rows, columns);
    run::expect("in place", z, [&](auto i) { return centres[i]; }, 1e-4);
  }
  return run::finish();
}
