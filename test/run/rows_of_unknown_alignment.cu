// Rows through views of unknown alignment, in both versions of a kernel: all arrays begin at groups
// of 16 bytes, or one of them does not, or the stride is no multiple of a group; in place, in a
// loop over rows that begins its views behind an offset, behind a return, and in a branch.
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

template <int C, class T> __tile__ auto rows_of(T *p, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}}, ct::shape<1, C>{}};
}

template <int C, class T> __tile__ auto read(const T *p, int row, int rows, int columns) {
  return ct::element_cast<float>(rows_of<C>(p, rows, columns).load_masked(row, 0));
}

/// y = x / |x| * weight, row by row. x and y may be one array.
template <int C, class T>
__tile_global__ void norm(const T *x, const T *weight, T *y, int rows, int columns) {
  auto v = read<C>(x, ct::bid().x, rows, columns);
  auto scale = ct::rsqrt(ct::sum<1>(v * v) + 1e-5f);
  rows_of<C>(y, rows, columns)
      .store_masked(ct::element_cast<T>(v * scale * read<C>(weight, 0, 1, columns)), ct::bid().x,
                    0);
}

/// The same for the rows from `first` on, in a loop.
template <int C, class T> __tile_global__ void norm_from(const T *x, const T *weight, T *y,
                                                         int first, int rows, int columns) {
  x += std::size_t(first) * columns, y += std::size_t(first) * columns, rows -= first;
  for (int row = ct::bid().x; row < rows; row += ct::num_blocks().x) {
    auto v = read<C>(x, row, rows, columns);
    auto scale = ct::rsqrt(ct::sum<1>(v * v) + 1e-5f);
    rows_of<C>(y, rows, columns)
        .store_masked(ct::element_cast<T>(v * scale * read<C>(weight, 0, 1, columns)), row, 0);
  }
}

/// The same of blocks that may have no row, of rows whose mean is taken off: of the columns inside,
/// by their numbers.
template <int C, class T>
__tile_global__ void centered(const T *x, const T *weight, T *y, int rows, int columns) {
  const int row = ct::bid().x;
  if (row >= rows)
    return;
  auto v = read<C>(x, row, rows, columns);
  auto inside = ct::iota<ct::tile<int, ct::shape<1, C>>>() < columns;
  auto mean = ct::sum<1>(v) / float(columns);
  auto c = ct::select(inside, v - mean, ct::zeros<decltype(v)>());
  auto scale = ct::rsqrt(ct::sum<1>(c * c) + 1e-5f);
  rows_of<C>(y, rows, columns)
      .store_masked(ct::element_cast<T>(c * scale * read<C>(weight, 0, 1, columns)), row, 0);
}

/// Rows that are chosen by their number, and what the branch leaves: the largest of the chosen.
template <int C, class T>
__tile_global__ void odd_rows(const T *x, T *y, T *largest, int rows, int columns) {
  const int row = ct::bid().x;
  auto chosen = ct::full<ct::tile<float, ct::shape<1, C>>>(-1.f);
  if (row % 2) {
    auto v = read<C>(x, row, rows, columns);
    auto most = v + ct::reduce_max<1>(v);
    rows_of<C>(y, rows, columns).store_masked(ct::element_cast<T>(most), row, 0);
    chosen = most;
  }
  largest[row] = T(float(ct::reduce_max<1>(chosen)));
}

/// Arrays that begin so many elements behind a group of 16 bytes.
struct offsets {
  int x, weight, y;
};

template <class T> void test(const char *name, offsets at, int columns, double tolerance) {
  constexpr int tile = 512, rows = 5, first = 2, spare = 8;
  const std::size_t n = std::size_t(rows) * columns;
  run::array<T> x(n + spare, [](auto i) { return run::small(i); }), y(n + spare), again(n + spare),
      same(n + spare, [](auto i) { return run::small(i); });
  run::array<T> weight(columns + spare, [](auto i) { return run::small(i + 7); });
  const T *xs = x, *ws = weight;
  norm<tile, T><<<rows, 1>>>(xs + at.x, ws + at.weight, y + at.y, rows, columns);
  norm<tile, T><<<rows, 1>>>(same + at.x, ws + at.weight, same + at.x, rows, columns);
  norm_from<tile, T><<<2, 1>>>(xs + at.x, ws + at.weight, again + at.y, first, rows, columns);
  run::array<T> centers(n + spare), odd(n + spare), largest(rows);
  centered<tile, T><<<rows + 2, 1>>>(xs + at.x, ws + at.weight, centers + at.y, rows, columns);
  odd_rows<tile, T><<<rows, 1>>>(xs + at.x, odd + at.y, largest, rows, columns);
  cudaDeviceSynchronize();

  std::vector<double> squares(rows), means(rows), spreads(rows), most(rows, -1);
  for (std::size_t i = 0; i < n; ++i)
    squares[i / columns] += std::pow(run::small(i + at.x), 2),
        means[i / columns] += run::small(i + at.x) / columns,
        most[i / columns] = std::max(most[i / columns], double(run::small(i + at.x)));
  for (std::size_t i = 0; i < n; ++i)
    spreads[i / columns] += std::pow(run::small(i + at.x) - means[i / columns], 2);
  auto wanted = [&](std::size_t i) {
    return run::small(i + at.x) / std::sqrt(squares[i / columns] + 1e-5) *
           run::small(i % columns + at.weight + 7);
  };
  // Nothing is written in front of the rows or behind them.
  auto inside = [&](int begin, std::size_t from, auto outside) {
    return [=, &wanted](std::size_t i) -> double {
      const bool is = i >= begin + from && i < begin + n;
      return is ? wanted(i - begin) : double(outside(i));
    };
  };
  auto nothing = [](std::size_t) { return 0.0; };
  run::expect(name, y, inside(at.y, 0, nothing), tolerance);
  run::expect(name, same, inside(at.x, 0, [](std::size_t i) { return run::small(i); }), tolerance);
  run::expect(name, again, inside(at.y, std::size_t(first) * columns, nothing), tolerance);
  run::expect(
      name, centers,
      [&](std::size_t i) -> double {
        if (i < std::size_t(at.y) || i >= at.y + n)
          return 0;
        const std::size_t e = i - at.y, row = e / columns;
        return (run::small(e + at.x) - means[row]) / std::sqrt(spreads[row] + 1e-5) *
               run::small(e % columns + at.weight + 7);
      },
      tolerance);
  run::expect(
      name, odd,
      [&](std::size_t i) -> double {
        const std::size_t e = i - at.y, row = e / columns;
        return i >= std::size_t(at.y) && i < at.y + n && row % 2 ? run::small(e + at.x) + most[row]
                                                                 : 0;
      },
      tolerance);
  run::expect(
      name, largest, [&](std::size_t row) { return row % 2 ? 2 * most[row] : -1.0; }, tolerance);
}

int main() {
  for (int columns : {8, 400, 401, 404, 512}) {
    for (offsets at : {offsets{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {3, 3, 3}, {4, 4, 4}}) {
      test<float>("norm of float", at, columns, 1e-4);
      test<bf16>("norm of bf16", at, columns, 2e-2);
    }
  }
  return run::finish();
}
