// Blocks of several rows, whose rows launches give blocks of their own: grids of one block and of
// more along all axes, rows behind the end, numbers of each row stored beside it, loops over rows
// by the size of the grid, rows by pointers. And what must stay whole: rows that are combined,
// columns that are reduced, arrays that are read and written, an atomic addition of a block.
#include "run.h"

#include <cuda_tile.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int R = 8, C = 512; // a tile

template <class T> __tile__ auto tiles_of(T *p, unsigned planes, unsigned rows, unsigned columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{planes, rows, columns}},
                            ct::shape<1, R, C>{}};
}

using floats = ct::tile<float, ct::shape<R, C>>;
template <int Rows, int Columns> using numbers = ct::tile<int, ct::shape<Rows, Columns>>;

/// y = x / |x|; norms: |x| of each row. The grid is of rows and planes.
__tile_global__ void norm(const float *__restrict__ x, float *__restrict__ y,
                          float *__restrict__ norms, unsigned planes, unsigned rows,
                          unsigned columns) {
  const int i = ct::bid().x, plane = ct::bid().z;
  auto v =
      ct::reshape(tiles_of(x, planes, rows, columns).load_masked(plane, i, 0), ct::shape<R, C>{});
  auto norm = ct::sqrt(ct::sum<1>(v * v) + 1e-3f);
  tiles_of(y, planes, rows, columns)
      .store_masked(ct::reshape(v / norm, ct::shape<1, R, C>{}), plane, i, 0);
  ct::partition_view{ct::tensor_span{norms, ct::extents{planes, rows}}, ct::shape<1, R>{}}
      .store_masked(ct::reshape(norm, ct::shape<1, R>{}), plane, i);
}

/// The largest of each row, its number times 1000 added; blocks take tiles by the grid's size.
__tile_global__ void largest(const float *__restrict__ x, float *__restrict__ y, unsigned rows,
                             unsigned columns) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<R, C>{}};
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{rows, 1u}}, ct::shape<R, 1>{}};
  for (int i = ct::bid().x; i < (int(rows) + R - 1) / R; i += ct::num_blocks().x) {
    auto row = ct::iota<numbers<R, 1>>() + i * R;
    auto most = ct::reduce_max<1>(xs.load_masked<ct::view_padding::negative_inf>(i, 0));
    ys.store_masked(most + ct::element_cast<float>(row) * 1000.f, i, 0);
  }
}

/// y = x less the mean of each row, by pointers, of 500 columns.
__tile__ void center(const float *x, float *y, int rows) {
  constexpr int columns = 500;
  auto row = ct::iota<numbers<R, 1>>() + int(ct::bid().x) * R;
  auto column = ct::iota<numbers<1, C>>();
  auto at = ct::broadcast<ct::shape<R, C>>(row * columns) + ct::broadcast<ct::shape<R, C>>(column);
  auto is_inside =
      ct::broadcast<ct::shape<R, C>>(row < rows) & ct::broadcast<ct::shape<R, C>>(column < columns);
  auto v = ct::load_masked(x + at, is_inside, ct::zeros<floats>());
  ct::store_masked(y + at, v - ct::sum<1>(v) / float(columns), is_inside);
}
__tile_global__ void centered(const float *__restrict__ x, float *__restrict__ y, int rows) {
  center(x, y, rows);
}
/// x and y may be one array.
__tile_global__ void centered_in_place(const float *x, float *y, int rows) { center(x, y, rows); }

template <class T> __tile__ auto rows_at(T *p, unsigned columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{unsigned(R), columns}},
                            ct::shape<R, C>{}};
}

/// x[i + 1] = x[i] less the mean, of the rows of each block's plane of R + 1: all are read first.
__tile_global__ void moved(float *x, unsigned columns) {
  float *first = x + std::size_t(ct::bid().x) * (R + 1) * columns;
  auto v = rows_at(first, columns).load_masked(0, 0);
  rows_at(first + columns, columns).store_masked(v - ct::sum<1>(v) / float(columns), 0, 0);
}

/// Twice into overlapping rows: y[i + 1] = 2 x[i] in front of each block's last row, by the second
/// store, which is behind the first one for all rows. planes: of rows + 1 rows each.
__tile_global__ void twice(const float *__restrict__ x, float *__restrict__ y, unsigned columns) {
  const int plane = ct::bid().x, planes = ct::num_blocks().x;
  auto v = ct::reshape(tiles_of(x, planes, R, columns).load_masked(plane, 0, 0), ct::shape<R, C>{});
  auto total = ct::broadcast<ct::shape<R, C>>(ct::sum<1>(v));
  float *first = y + std::size_t(plane) * (R + 1) * columns;
  rows_at(first, columns).store_masked(total, 0, 0);
  rows_at(first + columns, columns).store_masked(v * 2.f, 0, 0);
}

/// A row that each iteration begins one further: what an earlier one wrote there is replaced.
constexpr int steps = 3;
__tile_global__ void sliding(const float *__restrict__ x, float *__restrict__ y, unsigned columns) {
  const int block = ct::bid().x;
  auto v = rows_at(x + std::size_t(block) * R * columns, columns).load_masked(0, 0);
  auto total = ct::sum<1>(v);
  float *mine = y + std::size_t(block) * (R + steps) * columns;
  for (int k = 0; k < steps; ++k)
    rows_at(mine + k * columns, columns).store_masked(v + total + float(k), 0, 0);
}

/// The same by planes that overlap by all but one row.
__tile_global__ void planes(const float *__restrict__ x, float *__restrict__ y, unsigned columns) {
  const int block = ct::bid().x;
  auto v = rows_at(x + std::size_t(block) * R * columns, columns).load_masked(0, 0);
  auto total = ct::sum<1>(v);
  auto mapping = ct::layout_strided_mapping{ct::extents{unsigned(steps), unsigned(R), columns},
                                            ct::strides{columns, columns, 1_ic}};
  float *mine = y + std::size_t(block) * (R + steps) * columns;
  auto to = ct::partition_view{ct::tensor_span{mine, mapping}, ct::shape<1, R, C>{}};
  for (int k = 0; k < steps; ++k)
    to.store_masked(ct::reshape(v + total + float(k), ct::shape<1, R, C>{}), k, 0, 0);
}

/// Sums of columns: rows are combined. counts: the blocks, by an atomic addition.
__tile_global__ void columns_of(const float *__restrict__ x, float *__restrict__ y,
                                int *__restrict__ counts, unsigned rows, unsigned columns) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<R, C>{}};
  auto v = xs.load_masked(ct::bid().x, 0);
  auto rest = v - ct::sum<1>(v) / float(columns);
  auto inside = ct::iota<numbers<1, C>>() < int(columns);
  auto sums = ct::select(inside, ct::sum<0>(rest), ct::zeros<ct::tile<float, ct::shape<1, C>>>());
  ct::partition_view{ct::tensor_span{y, ct::extents{unsigned(ct::num_blocks().x), columns}},
                     ct::shape<1, C>{}}
      .store_masked(sums, ct::bid().x, 0);
  ct::atomic_add(counts, 1, ct::memory_order_relaxed_t{});
}

void test_norm(unsigned planes, unsigned rows, unsigned columns) {
  const std::size_t n = std::size_t(planes) * rows * columns;
  run::array<float> x(n, [](auto i) { return run::small(i); }), y(n), norms(planes * rows);
  const dim3 grid((rows + R - 1) / R, 1, planes);
  norm<<<grid, 1>>>(x, y, norms, planes, rows, columns);
  auto wanted = [&](std::size_t row) {
    double squares = 1e-3;
    for (std::size_t i = 0; i < columns; ++i)
      squares += std::pow(run::small(row * columns + i), 2);
    return std::sqrt(squares);
  };
  std::vector<double> all(planes * rows);
  for (std::size_t row = 0; row < all.size(); ++row)
    all[row] = wanted(row);
  run::expect("norms", norms, [&](auto i) { return all[i]; });
  run::expect("normed", y, [&](auto i) { return run::small(i) / all[i / columns]; });
}

void test_largest(unsigned rows, unsigned blocks) {
  constexpr unsigned columns = 300;
  run::array<float> x(rows * columns, [](auto i) { return run::small(i); }), y(rows);
  largest<<<blocks, 1>>>(x, y, rows, columns);
  run::expect("largest", y, [&](std::size_t row) {
    double most = -2;
    for (std::size_t i = 0; i < columns; ++i)
      most = std::max(most, run::small(row * columns + i));
    return most + 1000.0 * double(row);
  });
}

void test_centered(int rows, bool is_in_place) {
  constexpr int columns = 500;
  run::array<float> x(rows * columns, [](auto i) { return run::small(i); }), y(rows * columns);
  run::array<float> &to = is_in_place ? x : y;
  const unsigned blocks = (rows + R - 1) / R;
  if (is_in_place)
    centered_in_place<<<blocks, 1>>>(x, x, rows);
  else
    centered<<<blocks, 1>>>(x, y, rows);
  run::expect("centered", to, [&](std::size_t i) {
    double sum = 0;
    for (std::size_t j = 0; j < columns; ++j)
      sum += run::small(i / columns * columns + j);
    return run::small(i) - sum / columns;
  });
}

void test_columns(unsigned rows, unsigned columns) {
  const unsigned blocks = (rows + R - 1) / R;
  run::array<float> x(rows * columns, [](auto i) { return run::small(i); }), y(blocks * columns);
  run::array<int> counts(1);
  columns_of<<<blocks, 1>>>(x, y, counts, rows, columns);
  run::expect(
      "columns", y,
      [&](std::size_t i) {
        double sum = 0;
        for (std::size_t row = i / columns * R; row < i / columns * R + R && row < rows; ++row) {
          double mean = 0;
          for (std::size_t j = 0; j < columns; ++j)
            mean += run::small(row * columns + j) / columns;
          sum += run::small(row * columns + i % columns) - mean;
        }
        return sum;
      },
      1e-4);
  run::expect("blocks", counts, [&](auto) { return double(blocks); });
}

void test_twice() {
  constexpr unsigned planes = 3, columns = 400;
  run::array<float> x(planes * R * columns, [](auto i) { return run::small(i); }),
      y(planes * (R + 1) * columns);
  twice<<<planes, 1>>>(x, y, columns);
  run::expect("twice", y, [&](std::size_t i) {
    const std::size_t plane = i / columns / (R + 1), row = i / columns % (R + 1);
    auto from = [&](std::size_t row, std::size_t j) {
      return run::small((plane * R + row) * columns + j);
    };
    if (row != 0)
      return 2 * from(row - 1, i % columns);
    double sum = 0;
    for (std::size_t j = 0; j < columns; ++j)
      sum += from(0, j);
    return sum;
  });
}

void test_moved() {
  constexpr unsigned planes = 3, columns = 400;
  run::array<float> x(planes * (R + 1) * columns, [](auto i) { return run::small(i); });
  moved<<<planes, 1>>>(x, columns);
  run::expect("moved", x, [&](std::size_t i) {
    const std::size_t row = i / columns;
    if (row % (R + 1) == 0)
      return run::small(i);
    double mean = 0;
    for (std::size_t j = 0; j < columns; ++j)
      mean += run::small((row - 1) * columns + j) / columns;
    return run::small(i - columns) - mean;
  });
}

template <class Kernel> void test_steps(const char *name, Kernel kernel) {
  constexpr unsigned blocks = 3, columns = 400;
  run::array<float> x(blocks * R * columns, [](auto i) { return run::small(i); }),
      y(blocks * (R + steps) * columns);
  kernel<<<blocks, 1>>>(x, y, columns);
  std::vector<double> sums(blocks * R);
  for (std::size_t i = 0; i < x.size; ++i)
    sums[i / columns] += run::small(i);
  run::expect(name, y, [&](std::size_t i) {
    const std::size_t place = i / columns % (R + steps), block = i / columns / (R + steps);
    const std::size_t step = std::min<std::size_t>(place, steps - 1), row = place - step;
    if (row >= R)
      return 0.0;
    return run::small((block * R + row) * columns + i % columns) + sums[block * R + row] +
           double(step);
  });
}

int main() {
  for (unsigned planes : {1u, 3u})
    for (unsigned rows : {5u, 8u, 29u})
      for (unsigned columns : {257u, 512u})
        test_norm(planes, rows, columns);
  for (unsigned rows : {3u, 40u, 101u})
    for (unsigned blocks : {1u, 2u, 20u})
      test_largest(rows, blocks);
  for (int rows : {4, 8, 43})
    for (bool is_in_place : {false, true})
      test_centered(rows, is_in_place);
  test_columns(27, 400);
  test_moved();
  test_twice();
  test_steps("sliding", sliding);
  test_steps("planes", planes);
  return run::finish();
}
