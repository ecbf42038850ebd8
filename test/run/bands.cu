// [grid] Blocks that take the grid in bands have every tile of it once: grids of all remainders,
// also of one row and one column, in three dimensions, with the rows along either axis.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int T = 16;

// c = a b, + 100 for each matrix before; counts how often a tile is stored, whatever the order.
template <bool RowsAlongX> __tile_global__ void multiply(const float *a, const float *b, float *c,
                                                         int *visits, int m, int n, int k) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<T, T>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<T, T>{}};
  const auto id = ct::bid();
  const int row = RowsAlongX ? id.x : id.y, column = RowsAlongX ? id.y : id.x, batch = id.z;
  auto sum = ct::full<ct::tile<float, ct::shape<T, T>>>(100.0f * batch);
  for (int i = 0; i < ct::ceildiv(k, T); ++i)
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  auto cs =
      ct::partition_view{ct::tensor_span{c + batch * m * n, ct::extents{m, n}}, ct::shape<T, T>{}};
  cs.store_masked(sum, row, column);
  const int rows = ct::ceildiv(m, T), columns = ct::ceildiv(n, T);
  ct::atomic_add(visits + (batch * rows + row) * columns + column, 1, ct::memory_order_relaxed_t{},
                 ct::thread_scope_device_t{});
}

template <bool RowsAlongX> void test(const char *name, int m, int n, int batches) {
  constexpr int k = 20;
  const int rows = (m + T - 1) / T, columns = (n + T - 1) / T;
  run::array<float> a(m * k, run::small), b(k * n, [](std::size_t i) { return run::small(i + 7); });
  run::array<float> c(batches * m * n);
  run::array<int> visits(batches * rows * columns);
  multiply<RowsAlongX>
      <<<RowsAlongX ? dim3(rows, columns, batches) : dim3(columns, rows, batches), 1>>>(
          a, b, c, visits, m, n, k);
  run::expect(
      name, c,
      [&](std::size_t i) {
        const int at = i % (m * n);
        double sum = 100.0 * (i / (m * n));
        for (int l = 0; l < k; ++l)
          sum += a[at / n * k + l] * b[l * n + at % n];
        return sum;
      },
      2e-3);
  run::expect("visits", visits, [](std::size_t) { return 1; });
}

int main() {
  test<false>("a tile", 9, 16, 1);
  test<false>("a row of tiles", 16, 300, 1);
  test<false>("a column of tiles", 300, 7, 1);
  test<false>("a band", 128, 70, 2);
  test<false>("a band and a row", 129, 70, 1);
  test<true>("two bands less a row", 70, 230, 2);
  test<true>("many", 150, 500, 1);
  return run::finish();
}
