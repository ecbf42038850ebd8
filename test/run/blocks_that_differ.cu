// options: --extensions
// Small products whose blocks differ by more than the place of their tile, or whose tiles do not
// lie side by side: a launch must not run them as one block, or must do for each what is its own.
// And blocks that take tile after tile, in an order that can be seen.
#include "products.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

using tile_of_sum = ct::tile<float, ct::shape<64, 64>>;

template <class T> __tile__ auto tiles(T *base, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{base, ct::extents{rows, columns}}, ct::shape<64, 64>{}};
}

__tile__ tile_of_sum product(const bf16 *a, const bf16 *b, int m, int n, int k, int row,
                             int column) {
  auto sum = ct::zeros<tile_of_sum>();
  for (int i = 0; i < ct::ceildiv(k, 64); ++i)
    sum = ct::mma(tiles(a, m, k).load_masked(row, i), tiles(b, k, n).load_masked(i, column), sum);
  return sum;
}

/// Every second column of tiles.
__tile_global__ void gaps(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                          float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = 2 * ct::bid().x;
  tiles(c, m, n).store_masked(product(a, b, m, n, k, row, column), row, column);
}

/// Sums down the columns of each block's own rows.
__tile_global__ void running(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                             float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().x;
  auto sum = product(a, b, m, n, k, row, 0);
  tiles(c, m, n).store_masked(ct::partial_sum<0>(sum), row, 0);
}

/// Block i has row i and column i: of both factors what is its own.
__tile_global__ void diagonal(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k) {
  const int place = ct::bid().x;
  tiles(c, m, 64).store_masked(product(a, b, m, n, k, place, place), place, 0);
}

/// Each block leaves its number.
__tile_global__ void numbered(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k,
                              int *__restrict__ numbers) {
  const int row = ct::bid().y, column = ct::bid().x;
  tiles(c, m, n).store_masked(product(a, b, m, n, k, row, column), row, column);
  const int number = row * ct::num_blocks().x + column;
  ct::store(numbers + number, number + 1);
}

/// As many turns as the block's place says.
__tile_global__ void staircase(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                               float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::zeros<tile_of_sum>();
  for (int i = 0; i < row + column + 1; ++i)
    sum = ct::mma(tiles(a, m, k).load_masked(row, i), tiles(b, k, n).load_masked(i, column), sum);
  tiles(c, m, n).store_masked(sum, row, column);
}

/// Blocks above the diagonal do something more.
__tile_global__ void above(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = product(a, b, m, n, k, row, column);
  if (column > row)
    sum = sum * 2.0f;
  tiles(c, m, n).store_masked(sum, row, column);
}

/// Nobody promised that the result is not what is read: a tile has what its right neighbour, which
/// was earlier, has left.
__tile_global__ void from_the_right(const bf16 *a, const bf16 *b, float *c, int m, int n, int k) {
  const int rows = ct::ceildiv(m, 64), columns = ct::ceildiv(n, 64);
  for (int tile = ct::bid().x; tile < rows * columns; tile += ct::num_blocks().x) {
    const int row = tile % rows, column = columns - 1 - tile / rows;
    auto right = tiles(c, m, n).load_masked(row, column + 1);
    tiles(c, m, n).store_masked(product(a, b, m, n, k, row, column) + right, row, column);
  }
}

/// Tiles of two rows of tiles overlap by half: what is above stays.
__tile_global__ void shingles(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k) {
  const int rows = ct::ceildiv(m, 64), columns = ct::ceildiv(n, 64);
  auto cs = ct::strided_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<64, 64>{},
                             ct::strides{ct::integral_constant<32>{}, ct::integral_constant<64>{}}};
  for (int tile = ct::bid().x; tile < rows * columns; tile += ct::num_blocks().x) {
    const int row = rows - 1 - tile / columns, column = tile % columns;
    cs.store_masked(product(a, b, m, n, k, row, column), row, column);
  }
}

int main() {
  const sizes s = {192, 320, 72};
  check("gaps", gaps, dim3(3, 3), s,
        [](const operands &o, int batch, int row, int column, double before) {
          return batch || column / 64 % 2 ? before : o.product(0, row, column);
        });
  std::vector<double> above_it(64);
  check("running", running, 5, {320, 64, 72},
        [&](const operands &o, int batch, int row, int column, double before) {
          double &sum = above_it[column];
          sum = (row % 64 ? sum : 0) + o.product(0, row, column);
          return batch ? before : sum;
        });
  check("diagonal", diagonal, 3, s,
        [](const operands &o, int batch, int row, int column, double before) {
          const int place = row * o.s.n + column; // rows of 64
          return batch || place >= 64 * o.s.m
                     ? before
                     : o.product(0, place / 64, place / 64 / 64 * 64 + place % 64);
        });
  run::array<int> numbers(15);
  check(
      "numbered", numbered, dim3(5, 3), s,
      [](const operands &o, int batch, int row, int column, double before) {
        return batch ? before : o.product(0, row, column);
      },
      (int *)numbers);
  run::expect("numbers", numbers, [](std::size_t i) { return i + 1; });
  check("staircase", staircase, dim3(5, 3), {192, 320, 200},
        [](const operands &o, int batch, int row, int column, double before) {
          const int turns = row / 64 + column / 64 + 1;
          return batch ? before : o.product(0, row, column, 64 * turns);
        });
  check("above", above, dim3(5, 3), s,
        [](const operands &o, int batch, int row, int column, double before) {
          const double sum = o.product(0, row, column);
          return batch ? before : column / 64 > row / 64 ? 2 * sum : sum;
        });
  for (int m : {64, 128})
    check("from the right", from_the_right, 1, {m, 192, 64},
          [](const operands &o, int batch, int row, int column, double before) {
            if (batch)
              return before;
            double sum = 0;
            for (int i = column; i < o.s.n; i += 64)
              sum += o.product(0, row, i);
            return sum;
          });
  check("shingles", shingles, 1, {128, 192, 64},
        [](const operands &o, int batch, int row, int column, double before) {
          // Of tile 0, else of tile 1, whose rows are those of the product from 64 on.
          return batch || row >= 96 ? before : o.product(0, row < 64 ? row : row - 32 + 64, column);
        });
  return run::finish();
}
