// [memory] Rows whose beginning is known only at run time and what is computed from them: by
// elements, over all columns, with a weight for each; rows of every length up to the tile's and of
// every beginning, arrays that begin alike or not, elements of two sizes, some rows a block,
// paddings that change results, rows under a condition, in pieces, and in place. Bytes beside the
// rows stay.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

template <class T> __tile__ auto rows_of(T *p, int rows, int columns, int pitch) {
  return ct::tensor_span{
      p, ct::layout_strided_mapping{ct::extents{rows, columns},
                                    ct::strides{pitch, ct::integral_constant<1>{}}}};
}

// Each element less the largest of its row, and the number of slots a row's padding adds to.
template <class T, class U, int R, int C> __tile_global__ void
below_largest(const T *__restrict__ x, U *__restrict__ y, int rows, int columns, int pitch) {
  auto xs = ct::partition_view{rows_of(x, rows, columns, pitch), ct::shape<R, C>{}};
  auto ys = ct::partition_view{rows_of(y, rows, columns, pitch), ct::shape<R, C>{}};
  auto row = ct::element_cast<float>(
      xs.template load_masked<ct::view_padding::negative_inf>(ct::bid().x, 0));
  ys.store_masked(ct::element_cast<U>(row - ct::reduce_max<1>(row)), ct::bid().x, 0);
}

// Padding that is not neutral: each slot outside adds 1.
template <class T, int R, int C>
__tile_global__ void with_padding(const T *x, T *y, int rows, int columns) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<R, C>{}};
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{rows, columns}}, ct::shape<R, C>{}};
  auto row = ct::element_cast<float>(xs.load_masked(ct::bid().x, 0));
  auto sum = ct::sum<1>(row + 1.f) - float(C);
  ys.store_masked(ct::element_cast<T>(row + sum), ct::bid().x, 0);
}

// Weights and biases of the columns, a view for each row.
template <class T, class W, int C> __tile_global__ void
weighted(const T *__restrict__ x, T *__restrict__ y, const W *__restrict__ w, int columns) {
  const long long at = static_cast<long long>(ct::bid().x) * columns;
  auto xs = ct::partition_view{ct::tensor_span{x + at, ct::extents{columns}}, ct::shape<C>{}};
  auto ys = ct::partition_view{ct::tensor_span{y + at, ct::extents{columns}}, ct::shape<C>{}};
  auto ws = ct::partition_view{ct::tensor_span{w, ct::extents{columns}}, ct::shape<C>{}};
  auto row = ct::element_cast<float>(xs.load_masked(0));
  auto weight = ct::element_cast<float>(ws.load_masked(0));
  ys.store_masked(ct::element_cast<T>(row * weight + ct::reduce_max<0>(weight)), 0);
}

// Only rows with an odd sum are written: in place, by several blocks.
template <class T, int C> __tile_global__ void odd_rows(T *x, int rows, int columns) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<1, C>{}};
  for (int i = ct::bid().x; i < rows; i += ct::num_blocks().x) {
    auto row = xs.load_masked(i, 0);
    const float sum = static_cast<float>(ct::sum<1>(ct::element_cast<float>(row)));
    if (static_cast<int>(sum) & 1)
      xs.store_masked(row + row, i, 0);
  }
}

// Rows in pieces: each is rotated by itself.
template <class T, int C>
__tile_global__ void in_pieces(const T *__restrict__ x, T *__restrict__ y, int rows, int columns) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<1, C>{}};
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{rows, columns}}, ct::shape<1, C>{}};
  const int pieces = (columns + C - 1) / C;
  for (int i = 0; i < pieces; ++i) {
    auto piece = ct::element_cast<float>(xs.load_masked(ct::bid().x, i));
    ys.store_masked(ct::element_cast<T>(piece + ct::sum<1>(piece)), ct::bid().x, i);
  }
}

// The same by a loop that adds the pieces up, and one that takes the columns' numbers.
template <class T, int C> __tile_global__ void
of_all_pieces(const T *__restrict__ x, T *__restrict__ y, int rows, int columns) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<1, C>{}};
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{rows, columns}}, ct::shape<1, C>{}};
  const int pieces = (columns + C - 1) / C;
  auto sum = ct::zeros<ct::tile<float, ct::shape<1, C>>>();
  for (int i = 0; i < pieces; ++i)
    sum = sum + ct::element_cast<float>(xs.load_masked(ct::bid().x, i));
  auto total = ct::sum<1>(sum);
  auto column = ct::reshape<ct::shape<1, C>>(ct::iota<ct::tile<int, ct::shape<C>>>());
  for (int i = 0; i < pieces; ++i) {
    auto piece = ct::element_cast<float>(xs.load_masked(ct::bid().x, i));
    auto odd = ct::element_cast<float>((column + i) % 8);
    ys.store_masked(ct::element_cast<T>(piece + total + odd), ct::bid().x, i);
  }
}

// The largest of each column, of all rows that begin anywhere: columns keep their places.
template <class T, int C>
__tile_global__ void of_columns(const T *__restrict__ x, T *__restrict__ y, int rows, int columns) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<1, C>{}};
  auto most = ct::element_cast<float>(xs.load_masked(0, 0));
  for (int i = 1; i < rows; ++i)
    most = ct::max(most, ct::element_cast<float>(xs.load_masked(i, 0)));
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{1, columns}}, ct::shape<1, C>{}};
  ys.store_masked(ct::element_cast<T>(most - ct::sum<1>(most)), 0, 0);
}

// One weight for each column of several rows, which begin at different distances.
template <class T, int R, int C>
__tile_global__ void weighted_rows(const T *__restrict__ x, T *__restrict__ y,
                                   const T *__restrict__ w, int rows, int columns) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<R, C>{}};
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{rows, columns}}, ct::shape<R, C>{}};
  auto ws = ct::partition_view{ct::tensor_span{w, ct::extents{1, columns}}, ct::shape<1, C>{}};
  ys.store_masked(xs.load_masked(ct::bid().x, 0) * ws.load_masked(0, 0), ct::bid().x, 0);
}

// The sum of the largest of each column: a loop carries columns from row to row.
template <class T, int C> __tile_global__ void
largest_of_columns(const T *__restrict__ x, float *__restrict__ sum, int rows, int columns) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<1, C>{}};
  auto most = ct::zeros<ct::tile<float, ct::shape<1, C>>>();
  for (int i = 0; i < rows; ++i)
    most = ct::max(most, ct::element_cast<float>(xs.load_masked(i, 0)));
  auto out = ct::partition_view{ct::tensor_span{sum, ct::extents{1}}, ct::shape<1>{}};
  out.store(ct::reshape<ct::shape<1>>(ct::sum<1>(most)), 0);
}

// The column of the largest element of each row.
template <class T, int C> __tile_global__ void
positions(const T *__restrict__ x, int *__restrict__ position, int rows, int columns) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<1, C>{}};
  auto out = ct::partition_view{ct::tensor_span{position, ct::extents{rows}}, ct::shape<1>{}};
  auto row = ct::element_cast<float>(xs.load_masked(ct::bid().x, 0));
  auto first = ct::reshape<ct::shape<1>>(ct::max_element<1>(row));
  out.store_masked(ct::element_cast<int>(first), ct::bid().x);
}

// Two rows into one, of which one begins elsewhere.
template <class T, int C> __tile_global__ void added(const T *__restrict__ x,
                                                     const T *__restrict__ residual,
                                                     T *__restrict__ y, int columns, int pitch) {
  auto rows = ct::num_blocks().x;
  auto xs = ct::partition_view{rows_of(x, rows, columns, columns), ct::shape<1, C>{}};
  auto rs = ct::partition_view{rows_of(residual, rows, columns, pitch), ct::shape<1, C>{}};
  auto ys = ct::partition_view{rows_of(y, rows, columns, columns), ct::shape<1, C>{}};
  auto sum = xs.load_masked(ct::bid().x, 0) + rs.load_masked(ct::bid().x, 0);
  ys.store_masked(sum - ct::reduce_max<1>(sum), ct::bid().x, 0);
}

// All results are integers below 256.
constexpr double exact = 1e-6;

double value(std::size_t i) { return double(i * 7 % 23) - 11; }
double weight(std::size_t i) { return double(i * 5 % 3) + 1; }

struct rows {
  int from, count, columns, pitch;
  std::size_t size() const { return from + std::size_t(count - 1) * pitch + columns; }
  // Where an element is in its row; -1: in none.
  int column(std::size_t i) const {
    const long long at = static_cast<long long>(i) - from;
    return at >= 0 && at / pitch < count && at % pitch < columns ? int(at % pitch) : -1;
  }
  int row(std::size_t i) const { return int((i - from) / pitch); }
};

// Of row i of an array that begins at `from`, by f(sum or maximum so far, element).
template <class F> double fold(const rows &at, int i, double first, F f) {
  for (int j = 0; j < at.columns; ++j)
    first = f(first, value(at.from + std::size_t(i) * at.pitch + j));
  return first;
}
double largest(const rows &at, int i) {
  return fold(at, i, -INFINITY, [](double x, double y) { return std::fmax(x, y); });
}
double sum(const rows &at, int i) {
  return fold(at, i, 0, [](double x, double y) { return x + y; });
}

// y begins at `to`.
template <class T, class U, int R, int C> void check_below(const rows &at, int to) {
  const rows other{to, at.count, at.columns, at.pitch};
  run::array<T> x(at.size(), value);
  run::array<U> y(other.size() + 9);
  below_largest<T, U, R, C>
      <<<(at.count + R - 1) / R, 1>>>(x + at.from, y + to, at.count, at.columns, at.pitch);
  run::expect(
      "below the largest", y,
      [&](std::size_t i) {
        const int c = other.column(i);
        return c < 0 ? 0
                     : value(at.from + std::size_t(other.row(i)) * at.pitch + c) -
                           largest(at, other.row(i));
      },
      exact);
}

template <class T, int R, int C> void check_padding(const rows &at) {
  run::array<T> x(at.size(), value), y(at.size());
  with_padding<T, R, C>
      <<<(at.count + R - 1) / R, 1>>>(x + at.from, y + at.from, at.count, at.columns);
  run::expect("padding", y,
              [&](std::size_t i) { return at.column(i) < 0 ? 0 : value(i) + sum(at, at.row(i)); });
}

template <class T, class W, int C> void check_weights(const rows &at, int of_weights) {
  run::array<T> x(at.size(), value), y(at.size() + 9);
  run::array<W> w(of_weights + at.columns, weight);
  weighted<T, W, C><<<at.count, 1>>>(x + at.from, y + at.from, w + of_weights, at.columns);
  double most = 0;
  for (int j = 0; j < at.columns; ++j)
    most = std::fmax(most, weight(of_weights + j));
  run::expect(
      "weights", y,
      [&](std::size_t i) {
        const int c = at.column(i);
        return c < 0 ? 0 : value(i) * weight(of_weights + c) + most;
      },
      exact);
}

template <class T, int C> void check_odd(const rows &at) {
  run::array<T> x(at.size(), value);
  odd_rows<T, C><<<2, 1>>>(x + at.from, at.count, at.columns);
  run::expect(
      "odd rows", x,
      [&](std::size_t i) {
        const bool is_odd = at.column(i) >= 0 && (int(sum(at, at.row(i))) & 1);
        return value(i) * (is_odd ? 2 : 1);
      },
      exact);
}

template <class T, int C> void check_pieces(const rows &at) {
  run::array<T> x(at.size(), value), y(at.size());
  in_pieces<T, C><<<at.count, 1>>>(x + at.from, y + at.from, at.count, at.columns);
  run::expect(
      "pieces", y,
      [&](std::size_t i) {
        if (at.column(i) < 0)
          return 0.;
        const std::size_t begin = i - at.column(i) % C;
        double total = 0;
        for (int j = 0; j < C && at.column(i) / C * C + j < at.columns; ++j)
          total += value(begin + j);
        return value(i) + total;
      },
      exact);
}

template <class T, int C> void check_all_pieces(const rows &at) {
  run::array<T> x(at.size(), value), y(at.size());
  of_all_pieces<T, C><<<at.count, 1>>>(x + at.from, y + at.from, at.count, at.columns);
  run::expect(
      "all pieces", y,
      [&](std::size_t i) {
        const int c = at.column(i);
        return c < 0 ? 0 : value(i) + sum(at, at.row(i)) + (c % C + c / C) % 8;
      },
      exact);
}

template <class T, int C> void check_columns(const rows &at) {
  run::array<T> x(at.size(), value), y(at.from + at.columns);
  of_columns<T, C><<<1, 1>>>(x + at.from, y + at.from, at.count, at.columns);
  auto most = [&](int c) {
    double largest = -INFINITY;
    for (int i = 0; i < at.count; ++i)
      largest = std::fmax(largest, value(at.from + std::size_t(i) * at.pitch + c));
    return largest;
  };
  double total = 0;
  for (int c = 0; c < at.columns; ++c)
    total += most(c);
  run::expect(
      "columns", y,
      [&](std::size_t i) { return i < std::size_t(at.from) ? 0 : most(int(i) - at.from) - total; },
      1e-2);
}

template <class T, int R, int C> void check_weighted_rows(const rows &at) {
  run::array<T> x(at.size(), value), y(at.size()), w(at.columns, weight);
  weighted_rows<T, R, C>
      <<<(at.count + R - 1) / R, 1>>>(x + at.from, y + at.from, w, at.count, at.columns);
  run::expect(
      "weighted rows", y,
      [&](std::size_t i) { return at.column(i) < 0 ? 0 : value(i) * weight(at.column(i)); }, exact);
}

template <class T, int C> void check_about_columns(const rows &at) {
  run::array<T> x(at.size(), value);
  run::array<float> sum(1);
  run::array<int> found(at.count);
  largest_of_columns<T, C><<<1, 1>>>(x + at.from, sum, at.count, at.columns);
  positions<T, C><<<at.count, 1>>>(x + at.from, found, at.count, at.columns);
  auto element = [&](int i, int j) { return value(at.from + std::size_t(i) * at.pitch + j); };
  double total = 0;
  for (int j = 0; j < at.columns; ++j) {
    double most = 0;
    for (int i = 0; i < at.count; ++i)
      most = std::fmax(most, element(i, j));
    total += most;
  }
  run::expect("sum of columns", sum, [&](std::size_t) { return total; }, exact);
  run::expect("positions", found, [&](std::size_t i) {
    int first = 0;
    for (int j = 1; j < at.columns; ++j)
      first = element(int(i), j) > element(int(i), first) ? j : first;
    return first;
  });
}

template <class T, int C> void check_added(int count, int columns, int from, int pitch) {
  const rows at{from, count, columns, columns};
  run::array<T> x(at.size(), value), y(at.size());
  run::array<T> r(1 + std::size_t(count) * pitch, weight);
  added<T, C><<<count, 1>>>(x + from, r + 1, y + from, columns, pitch);
  auto element = [&](int i, int j) {
    return value(from + std::size_t(i) * columns + j) + weight(1 + std::size_t(i) * pitch + j);
  };
  run::expect(
      "added", y,
      [&](std::size_t i) {
        if (at.column(i) < 0)
          return 0.;
        double most = -INFINITY;
        for (int j = 0; j < columns; ++j)
          most = std::fmax(most, element(at.row(i), j));
        return element(at.row(i), at.column(i)) - most;
      },
      exact);
}

template <class T, int C> void check_all() {
  constexpr int in_group = 16 / int(sizeof(T));
  for (int from = 0; from < in_group; from += from < 2 ? 1 : in_group / 2 - 1) {
    for (int columns : {C, C - 1, C - in_group + 1, C / 2 + 5, in_group + 1, in_group, 3, 1}) {
      check_below<T, T, 1, C>({from, 3, columns, columns}, from);
      check_below<T, T, 1, C>({from, 2, columns, columns + 3}, from + 1);
      check_below<T, T, 4, C>({from, 5, columns, columns + 2}, from + in_group);
    }
    check_padding<T, 1, C>({from, 3, C - 3, C - 3});
    check_padding<T, 2, C>({from, 3, C / 2 + 1, C / 2 + 1});
    check_odd<T, C>({from, 7, C - 1, C - 1});
    check_pieces<T, C>({from, 2, 3 * C - 5, 3 * C - 5});
    check_pieces<T, C>({from, 2, 2 * C + 1, 2 * C + 1});
    check_all_pieces<T, C>({from, 2, 3 * C - 5, 3 * C - 5});
    check_all_pieces<T, C>({from, 2, 2 * C + 1, 2 * C + 1});
    check_columns<T, C>({from, 5, C / 4 - 3, C / 4 - 3});
    check_weighted_rows<T, 4, C>({from, 5, C - 1, C - 1});
    check_about_columns<T, C>({from, 3, C / 8 + 3, C / 8 + 3});
    check_weights<T, T, C>({from, 3, C - 1, C - 1}, 0);
    check_weights<T, bf16, C>({from, 3, C / 2 + 3, C / 2 + 3}, 1);
    check_weights<T, float, C>({from, 3, C, C}, 3);
    check_added<T, C>(3, C - 1, from, C - 1);
    check_added<T, C>(3, C - 5, from, C);
  }
}

int main() {
  check_all<bf16, 512>();
  check_all<float, 256>();
  check_all<bf16, 64>();
  check_below<double, double, 1, 128>({1, 3, 127, 127}, 1);
  for (int from : {0, 1, 3, 6}) {
    check_below<float, bf16, 1, 256>({from, 3, 255, 255}, from);
    check_below<float, bf16, 2, 256>({from, 3, 251, 251}, from + 4);
    check_below<bf16, float, 1, 256>({from, 3, 256, 257}, from + 1);
    check_padding<signed char, 1, 512>({from, 3, 509, 509});
    check_padding<signed char, 2, 512>({from, 3, 499, 499});
  }
  return run::finish();
}
