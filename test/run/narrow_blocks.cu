// Products of narrow tiles, of which one block takes several along a row: what each had of its
// rows alone, where it stores by a table, and that blocks that are not there store nothing. Tensors
// go on where the grid ends; tiles of 16 columns are as wide as there are of them.
#include "products.h"

#include <cuda_tile.h>
namespace ct = cuda::tiles;
using relaxed = ct::memory_order_relaxed_t;
using device = ct::thread_scope_device_t;

#define PRODUCT                                                                                    \
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<M, 64>{}};         \
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<64, N>{}};         \
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};          \
  const int x = ct::bid().x, y = ct::bid().y;                                                      \
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();                                        \
  for (int i = 0; i < (k + 63) / 64; ++i)                                                          \
    sum = ct::mma(as.load_masked(y, i), bs.load_masked(i, x), sum);
#define OPERANDS                                                                                   \
  const bf16 *__restrict__ a, const bf16 *__restrict__ b, float *__restrict__ c, int m, int n, int k

// Each block's least number of a row, and what is above it.
template <int M, int N>
__tile_global__ void above_least(OPERANDS, float *__restrict__ least, int columns) {
  PRODUCT
  auto own = ct::reduce_min<1>(sum);
  ct::partition_view{ct::tensor_span{least, ct::extents{m, columns}}, ct::shape<M, 1>{}}
      .store_masked(own, y, x);
  cs.store_masked(sum - own, y, x);
}

// To columns that a table gives, which a view reads.
#define PLACES                                                                                     \
  auto columns = ct::partition_view{ct::tensor_span{table, ct::extents{1, n}}, ct::shape<1, N>{}}  \
                     .load_masked(0, x);                                                           \
  auto rows = ct::iota<ct::tile<int, ct::shape<M, 1>>>() + y * M;
template <int M, int N> __tile_global__ void by_table(OPERANDS, const int *__restrict__ table) {
  PRODUCT
  PLACES
  ct::store_masked(c + (rows * n + columns), sum, rows < m && columns < n);
}
template <int M, int N>
__tile_global__ void added_by_table(OPERANDS, const int *__restrict__ table) {
  PRODUCT
  PLACES
  ct::atomic_add(c + (rows * n + columns), sum, relaxed{}, device{});
}

template <int M, int N> void check_tiles_of() {
  const sizes s{128, 512, 64};
  const int blocks = s.n / N - 3, columns = s.n / N + 20;
  const dim3 grid(blocks, s.m / M);
  run::array<float> least(s.m * columns, [](auto) { return -1; });
  auto least_of = [](const operands &o, int row, int block) {
    double found = 1e30;
    for (int i = 0; i < N; ++i)
      found = std::min(found, o.product(0, row, block * N + i));
    return found;
  };
  check(
      "above least", above_least<M, N>, grid, s,
      [&](const operands &o, int batch, int row, int column, double before) {
        return batch || column / N >= blocks
                   ? before
                   : o.product(0, row, column) - least_of(o, row, column / N);
      },
      (float *)least, columns);
  const operands o(s);
  run::expect("least", least, [&](std::size_t i) {
    const int block = int(i) % columns;
    return block < blocks ? least_of(o, int(i) / columns, block) : -1.0;
  });

  run::array<int> table(s.n, [](std::size_t i) { return int(i) ^ 1; });
  check(
      "by a table", by_table<M, N>, grid, s,
      [&](const operands &o, int batch, int row, int column, double before) {
        const int from = column ^ 1;
        return batch || from / N >= blocks ? before : o.product(0, row, from);
      },
      (const int *)(int *)table);
  check(
      "added by a table", added_by_table<M, N>, grid, s,
      [&](const operands &o, int batch, int row, int column, double before) {
        const int from = column ^ 1;
        return batch || from / N >= blocks ? before : before + o.product(0, row, from);
      },
      (const int *)(int *)table);
}

int main() {
  check_tiles_of<16, 16>();
  check_tiles_of<64, 16>();
  check_tiles_of<16, 32>();
  return run::finish();
}
