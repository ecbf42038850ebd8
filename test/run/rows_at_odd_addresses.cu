// [memory] Rows whose beginning is known only at run time: elements of every size, arrays that
// begin anywhere, rows of any length and distance, by views of all rows, by a view of each row, and
// by pointers; some rows a block, rows that are not there, and rows shorter than an access. Bytes
// beside the rows stay.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

template <class T> __tile__ auto rows_of(T *p, int rows, int columns, int pitch) {
  return ct::tensor_span{
      p, ct::layout_strided_mapping{ct::extents{rows, columns},
                                    ct::strides{pitch, ct::integral_constant<1>{}}}};
}

// Copies rows, and adds the elements of each with its padding.
template <class T, int R, int C>
__tile_global__ void copy(const T *__restrict__ x, T *__restrict__ y, float *__restrict__ sums,
                          int rows, int columns, int pitch) {
  auto xs = ct::partition_view{rows_of(x, rows, columns, pitch), ct::shape<R, C>{}};
  auto ys = ct::partition_view{rows_of(y, rows, columns, pitch), ct::shape<R, C>{}};
  auto row = xs.load_masked(ct::bid().x, 0);
  ys.store_masked(row, ct::bid().x, 0);
  auto out = ct::partition_view{ct::tensor_span{sums, ct::extents{rows}}, ct::shape<R>{}};
  out.store_masked(ct::reshape<ct::shape<R>>(ct::sum<1>(ct::element_cast<float>(row))),
                   ct::bid().x);
}

// A loop over rows, padded with an infinity.
template <int R, int C>
__tile_global__ void loop(const bf16 *__restrict__ x, bf16 *__restrict__ y, int rows, int columns) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<R, C>{}};
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{rows, columns}}, ct::shape<R, C>{}};
  for (int i = ct::bid().x; i < (rows + R - 1) / R; i += ct::num_blocks().x) {
    auto row =
        ct::element_cast<float>(xs.template load_masked<ct::view_padding::negative_inf>(i, 0));
    ys.store_masked(ct::element_cast<bf16>(row - ct::reduce_max<1>(row)), i, 0);
  }
}

// A view for each row.
template <class T, int C>
__tile_global__ void one(const T *__restrict__ x, T *__restrict__ y, int columns) {
  const long long at = static_cast<long long>(ct::bid().x) * columns;
  auto xs = ct::partition_view{ct::tensor_span{x + at, ct::extents{columns}}, ct::shape<C>{}};
  auto ys = ct::partition_view{ct::tensor_span{y + at, ct::extents{columns}}, ct::shape<C>{}};
  auto row = xs.load_masked(0);
  ys.store_masked(row + row, 0);
}

// In place: what a block reads beside its rows, another one writes.
template <class T, int R, int C> __tile_global__ void in_place(T *x, int rows, int columns) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<R, C>{}};
  for (int i = ct::bid().x; i < (rows + R - 1) / R; i += ct::num_blocks().x) {
    auto row = xs.load_masked(i, 0);
    xs.store_masked(row + row, i, 0);
    auto again = xs.load_masked(i, 0);
    xs.store_masked(again - row, i, 0);
    xs.store_masked(again + row, i, 0);
  }
}

// Three dimensions, of which the rows are cut in pieces.
template <class T, int C> __tile_global__ void pieces(const T *__restrict__ x, T *__restrict__ y,
                                                      int n, int rows, int columns) {
  auto box = ct::shape<2, 2, C>{};
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{n, rows, columns}}, box};
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{n, rows, columns}}, box};
  const int at = ct::bid().x, row = ct::bid().y;
  for (int i = 0; i < (columns + C - 1) / C; ++i)
    ys.store_masked(xs.load_masked(at, row, i), at, row, i);
}

// By pointers.
template <class T, int C>
__tile_global__ void pointers(const T *__restrict__ x, T *__restrict__ y, int columns, int pitch) {
  auto i = ct::iota<ct::tile<int, ct::shape<C>>>();
  auto row = ct::load_masked(x + ct::bid().x * pitch + i, i < columns, T(1));
  ct::store_masked(y + ct::bid().x * pitch + i, row + row, i < columns);
}
template <class T, int C>
__tile_global__ void whole_by_pointers(const T *__restrict__ x, T *__restrict__ y, int pitch) {
  auto i = ct::iota<ct::tile<int, ct::shape<C>>>();
  ct::store(y + ct::bid().x * pitch + i, ct::load(x + ct::bid().x * pitch + i));
}

double value(std::size_t i) { return double(i * 7 % 23) - 11; }

// Within a row: its column, otherwise -1.
struct rows {
  int from, count, columns, pitch;
  int column(std::size_t i) const {
    const long long at = static_cast<long long>(i) - from;
    return at >= 0 && at / pitch < count && at % pitch < columns ? int(at % pitch) : -1;
  }
  std::size_t size() const { return from + std::size_t(count - 1) * pitch + columns; }
};

template <class T, int R, int C> void check(const char *name, const rows &at) {
  run::array<T> x(at.size(), value), y(at.size());
  run::array<float> sums(at.count);
  copy<T, R, C><<<(at.count + R - 1) / R, 1>>>(x + at.from, y + at.from, sums, at.count, at.columns,
                                               at.pitch);
  run::expect(name, y, [&](std::size_t i) { return at.column(i) < 0 ? 0 : value(i); });
  run::expect(name, sums, [&](std::size_t i) {
    double sum = 0;
    for (int j = 0; j < at.columns; ++j)
      sum += value(at.from + i * at.pitch + j);
    return sum;
  });
}

template <class T, int C> void check_all(const char *name) {
  constexpr int in_group = 16 / int(sizeof(T));
  for (int from : {0, 1, in_group - 1}) {
    check<T, 1, C>(name, {from, 3, C - 1, C - 1});
    check<T, 2, C>(name, {from, 3, C / 2 + 1, C / 2 + 4});
    check<T, 4, C>(name, {from, 5, C, C + 1});
  }
  check<T, 8, C>(name, {1, 9, in_group - 1, in_group + 1});
  check<T, 1, C>(name, {3, 2, 1, 1});

  for (int columns : {C - 1, C / 2 + 5, 3}) {
    const rows at{1, 3, columns, columns};
    run::array<T> x(at.size(), value), y(at.size()), z(at.size());
    one<T, C><<<3, 1>>>(x + 1, y + 1, columns);
    run::expect(name, y, [&](std::size_t i) { return at.column(i) < 0 ? 0 : 2 * value(i); });
    pointers<T, C><<<3, 1>>>(x + 1, z + 1, columns, columns);
    run::expect(name, z, [&](std::size_t i) { return at.column(i) < 0 ? 0 : 2 * value(i); });
  }
  for (int from : {0, 1, 2, in_group / 2}) {
    const rows at{from, 3, C, C + 3};
    run::array<T> x(at.size(), value), y(at.size());
    whole_by_pointers<T, C><<<3, 1>>>(x + from, y + from, at.pitch);
    run::expect(name, y, [&](std::size_t i) { return at.column(i) < 0 ? 0 : value(i); });
  }
}

template <int R, int C> void check_loop(int count, int columns, int blocks) {
  const rows at{1, count, columns, columns};
  run::array<bf16> x(at.size(), value), y(at.size());
  loop<R, C><<<blocks, 1>>>(x + 1, y + 1, count, columns);
  run::expect("loop", y, [&](std::size_t i) {
    double most = -INFINITY;
    for (int j = 0; i > 0 && j < columns; ++j)
      most = std::fmax(most, value(1 + (i - 1) / columns * columns + j));
    return at.column(i) < 0 ? 0 : value(i) - most;
  });
}

template <class T, int R, int C> void check_in_place(int count, int columns) {
  const rows at{1, count, columns, columns};
  run::array<T> x(at.size(), value);
  in_place<T, R, C><<<3, 1>>>(x + 1, count, columns);
  run::expect("in place", x, [&](std::size_t i) { return value(i) * (at.column(i) < 0 ? 1 : 3); });
}

template <class T, int C> void check_pieces(int n, int count, int columns) {
  run::array<T> x(1 + std::size_t(n) * count * columns, value), y(x.size);
  pieces<T, C><<<dim3((n + 1) / 2, (count + 1) / 2), 1>>>(x + 1, y + 1, n, count, columns);
  run::expect("pieces", y, [&](std::size_t i) { return i ? value(i) : 0; });
}

int main() {
  check_all<signed char, 1024>("bytes");
  check_all<bf16, 512>("bf16");
  check_all<float, 512>("floats");
  check_all<double, 256>("doubles");
  check<bf16, 2, 64>("few", {3, 5, 61, 61});
  check<signed char, 4, 64>("few bytes", {3, 5, 61, 67});
  check_loop<1, 1024>(11, 1021, 3);
  check_loop<2, 512>(7, 511, 2);
  check_in_place<bf16, 2, 512>(9, 511);
  check_in_place<float, 1, 256>(7, 253);
  check_in_place<signed char, 4, 1024>(9, 1001);
  check_pieces<bf16, 256>(3, 3, 523);
  check_pieces<double, 128>(3, 3, 131);
  check_pieces<signed char, 512>(2, 3, 1031);
  return run::finish();
}
