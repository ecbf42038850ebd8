// [memory] Weights that are read in front of a reduction and needed behind it: of memory of their
// own, of the memory that is written in between, and in a loop over rows.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int columns = 4096;

__tile__ auto row_of(float *p, int rows) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}},
                            ct::shape<1, columns>{}};
}

/// y = x * sum(x) * weight, where `between` gets 2 x before the sum is known.
__tile_global__ void weighted(float *x, float *weight, float *between, float *y, int rows) {
  const int row = ct::bid().x;
  auto w = row_of(weight, rows).load_masked(row, 0);
  auto v = row_of(x, rows).load_masked(row, 0);
  row_of(between, rows).store_masked(v + v, row, 0);
  auto sum = ct::sum<1>(v);
  row_of(y, rows).store_masked(v * sum * w, row, 0);
}

/// The same in a loop, of arrays of their own.
__tile_global__ void all_weighted(float *__restrict__ x, float *__restrict__ weight,
                                  float *__restrict__ between, float *__restrict__ y, int rows) {
  for (int row = ct::bid().x; row < rows; row += ct::num_blocks().x) {
    auto w = row_of(weight, rows).load_masked(row, 0);
    auto v = row_of(x, rows).load_masked(row, 0);
    auto sum = ct::sum<1>(v);
    row_of(between, rows).store_masked(v + v, row, 0);
    row_of(y, rows).store_masked(v * sum * w, row, 0);
  }
}

int main() {
  constexpr int rows = 3;
  const std::size_t n = std::size_t(rows) * columns;
  auto x = [](std::size_t i) { return float(run::small(i)); };
  auto weight = [](std::size_t i) { return float(run::small(i + 5)); };
  run::array<float> xs(n, x), ws(n, weight), same(n, weight), between(n), all(n), y(n), z(n), u(n);
  weighted<<<rows, 1>>>(xs, ws, between, y, rows);
  weighted<<<rows, 1>>>(xs, same, same, z, rows);
  all_weighted<<<2, 1>>>(xs, ws, all, u, rows);
  cudaDeviceSynchronize();

  double sums[rows] = {};
  for (std::size_t i = 0; i < n; ++i)
    sums[i / columns] += x(i);
  auto wanted = [&](std::size_t i) { return x(i) * sums[i / columns] * weight(i); };
  run::expect("weights", y, wanted, 1e-3);
  run::expect("weights that are written in between", z, wanted, 1e-3);
  run::expect("weights of rows in a loop", u, wanted, 1e-3);
  run::expect("twice the rows", between, [&](std::size_t i) { return 2 * x(i); }, 0);
  run::expect("twice the rows in a loop", all, [&](std::size_t i) { return 2 * x(i); }, 0);
  return run::finish();
}
