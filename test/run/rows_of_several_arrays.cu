// Rows whose arrays exceed the registers together, though one of them would not: layer_norm with
// weight and bias, of columns that are no multiple of anything, and with the weight read before a
// loop over the rows.
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

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

template <int C, class T, class Row> __tile__ void
normalize(const T *x, T *y, const Row &weight, const Row &bias, int row, int rows, int columns) {
  auto v = read<C>(x, row, rows, columns);
  auto mean = ct::sum<1>(v) / float(columns);
  auto is_inside = ct::iota<ct::tile<int, ct::shape<1, C>>>() < columns;
  auto d = ct::select(is_inside, v - mean, ct::zeros<ct::tile<float, ct::shape<1, C>>>());
  auto scale = ct::rsqrt(ct::sum<1>(d * d) / float(columns) + 1e-5f);
  rows_of<C>(y, rows, columns).store_masked(ct::element_cast<T>(d * scale * weight + bias), row, 0);
}

template <int C, class T>
__tile_global__ void norm(const T *__restrict__ x, const T *__restrict__ weight,
                          const T *__restrict__ bias, T *__restrict__ y, int rows, int columns) {
  normalize<C>(x, y, read<C>(weight, 0, 1, columns), read<C>(bias, 0, 1, columns), ct::bid().x,
               rows, columns);
}

template <int C, class T>
__tile_global__ void norm_in_turn(const T *__restrict__ x, const T *__restrict__ weight,
                                  const T *__restrict__ bias, T *__restrict__ y, int rows,
                                  int columns) {
  auto w = read<C>(weight, 0, 1, columns), b = read<C>(bias, 0, 1, columns);
  for (int row = ct::bid().x; row < rows; row += ct::num_blocks().x)
    normalize<C>(x, y, w, b, row, rows, columns);
}

template <class T> void test(const char *name, double tolerance) {
  constexpr int tile = 32768;
  const int rows = 3, columns = 20001;
  const std::size_t n = std::size_t(rows) * columns;
  run::array<T> x(n, [](auto i) { return run::small(i); }), y(n), again(n);
  run::array<T> weight(columns, [](auto i) { return run::small(i + 7); }),
      bias(columns, [](auto i) { return run::small(i + 3); });
  norm<tile, T><<<rows, 1>>>(x, weight, bias, y, rows, columns);
  norm_in_turn<tile, T><<<2, 1>>>(x, weight, bias, again, rows, columns);
  std::vector<double> mean(rows), scale(rows);
  for (std::size_t i = 0; i < n; ++i)
    mean[i / columns] += x[i] / columns;
  for (std::size_t i = 0; i < n; ++i)
    scale[i / columns] += std::pow(x[i] - mean[i / columns], 2) / columns;
  auto wanted = [&](auto i) {
    const auto row = i / columns, column = i % columns;
    return (x[i] - mean[row]) / std::sqrt(scale[row] + 1e-5) * weight[column] + bias[column];
  };
  run::expect(name, y, wanted, tolerance);
  run::expect(name, again, wanted, tolerance);
}

int main() {
  test<float>("norm of float", 1e-4);
  test<bf16>("norm of bf16", 2e-2);
  return run::finish();
}
