// options: --extensions
// Products of small tiles whose tiles the program numbers by itself: in a loop of each block over
// its tiles, or by taking a block's index apart. Launches run a kernel with a block for several of
// these tiles, where they are a grid; where they are none, or where the order of a block's tiles
// can be seen, the program's own.
#include "products.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <class T> __tile__ auto view(T *base, int rows, int columns) {
  return ct::tensor_span{base, ct::extents{rows, columns}};
}

template <int M, int N>
__tile__ auto product(const bf16 *a, const bf16 *b, int m, int n, int k, int row, int column) {
  auto as = ct::partition_view{view(a, m, k), ct::shape<M, 64>{}};
  auto bs = ct::partition_view{view(b, k, n), ct::shape<64, N>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (int i = 0; i < ct::ceildiv(k, 64); ++i)
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  return sum;
}

template <int M, int N> __tile__ void tile_of(const bf16 *a, const bf16 *b, float *c, int m, int n,
                                              int k, int row, int column) {
  ct::partition_view{view(c, m, n), ct::shape<M, N>{}}.store_masked(
      product<M, N>(a, b, m, n, k, row, column), row, column);
}

/// In bands of four rows; the last band has those that are left.
__tile__ int row_in_bands(int tile, int rows, int columns, int &column) {
  const int first = tile / (4 * columns) * 4, left = rows - first, band = left < 4 ? left : 4,
            place = tile % (4 * columns);
  column = place / band;
  return first + place % band;
}

/// A block takes every tile whose number is its own and a multiple of the grid.
template <int M, int N> __tile_global__ void bands(const bf16 *__restrict__ a,
                                                   const bf16 *__restrict__ b,
                                                   float *__restrict__ c, int m, int n, int k) {
  const int rows = ct::ceildiv(m, M), columns = ct::ceildiv(n, N);
  for (int tile = ct::bid().x; tile < rows * columns; tile += ct::num_blocks().x) {
    int column, row = row_in_bands(tile, rows, columns, column);
    tile_of<M, N>(a, b, c, m, n, k, row, column);
  }
}

/// A block for each tile, and perhaps more blocks than there are tiles.
__tile_global__ void block_bands(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                 float *__restrict__ c, int m, int n, int k) {
  int column, row = row_in_bands(ct::bid().x, ct::ceildiv(m, 64), ct::ceildiv(n, 64), column);
  tile_of<64, 64>(a, b, c, m, n, k, row, column);
}

/// Rows of tiles one after the other; a block takes neighbours.
__tile_global__ void in_rows(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                             float *__restrict__ c, int m, int n, int k) {
  const int rows = ct::ceildiv(m, 64), columns = ct::ceildiv(n, 64);
  const int each = ct::ceildiv(rows * columns, int(ct::num_blocks().x));
  const int first = ct::bid().x * each, end = first + each;
  for (int tile = first; tile < (end < rows * columns ? end : rows * columns); ++tile)
    tile_of<64, 64>(a, b, c, m, n, k, tile / columns, tile % columns);
}

/// Numbers of 64 bits, from the last to the first, and a batch.
__tile_global__ void batches(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                             float *__restrict__ c, int m, int n, int k) {
  const long long rows = ct::ceildiv(m, 64), columns = ct::ceildiv(n, 64),
                  tiles = 2 * rows * columns;
  for (long long i = ct::bid().x; i < tiles; i += ct::num_blocks().x) {
    const long long tile = tiles - 1 - i, batch = tile % 2, column = tile / 2 / rows,
                    row = tile / 2 % rows;
    auto as = ct::partition_view{ct::tensor_span{a, ct::extents{2, m, k}}, ct::shape<1, 64, 64>{}};
    auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{2, k, n}}, ct::shape<1, 64, 64>{}};
    auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{2, m, n}}, ct::shape<1, 64, 64>{}};
    auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
    for (int i = 0; i < ct::ceildiv(k, 64); ++i)
      sum = ct::mma(ct::reshape(as.load_masked(batch, row, i), ct::shape<64, 64>{}),
                    ct::reshape(bs.load_masked(batch, i, column), ct::shape<64, 64>{}), sum);
    cs.store_masked(ct::reshape(sum, ct::shape<1, 64, 64>{}), batch, row, column);
  }
}

/// Rows of the grid take rows of tiles, blocks of a row its columns.
__tile_global__ void two_axes(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k) {
  for (int row = ct::bid().y; row < ct::ceildiv(m, 64); row += ct::num_blocks().y)
    tile_of<64, 64>(a, b, c, m, n, k, row, ct::bid().x);
}

/// Nobody promised that the result is not what is read: a later tile may read an earlier one.
__tile_global__ void accumulated(const bf16 *a, const bf16 *b, float *c, int m, int n, int k) {
  const int rows = ct::ceildiv(m, 64), columns = ct::ceildiv(n, 64);
  auto cs = ct::partition_view{view(c, m, n), ct::shape<64, 64>{}};
  for (int tile = ct::bid().x; tile < rows * columns; tile += ct::num_blocks().x) {
    const int row = tile / columns, column = tile % columns;
    auto left = cs.load_masked(row, column > 0 ? column - 1 : 0);
    cs.store_masked(product<64, 64>(a, b, m, n, k, row, column) + left, row, column);
  }
}

/// The last of the tiles of a column stays: all are stored in the first row of tiles.
__tile_global__ void on_top(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                            float *__restrict__ c, int m, int n, int k) {
  const int rows = ct::ceildiv(m, 64), columns = ct::ceildiv(n, 64);
  auto cs = ct::partition_view{view(c, m, n), ct::shape<64, 64>{}};
  for (int tile = ct::bid().x; tile < rows * columns; tile += ct::num_blocks().x)
    cs.store_masked(product<64, 64>(a, b, m, n, k, tile / columns, tile % columns), 0,
                    tile % columns);
}

/// Every second tile, or tiles that come twice, one after the other: no grid.
__tile_global__ void some(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                          float *__restrict__ c, int m, int n, int k, int step, int twice) {
  const int rows = ct::ceildiv(m, 64), columns = ct::ceildiv(n, 64);
  for (int i = ct::bid().x; i < rows * columns * twice; i += ct::num_blocks().x) {
    const int tile = i / twice * step % (rows * columns);
    tile_of<64, 64>(a, b, c, m, n, k, tile / columns, tile % columns);
  }
}

/// A bias for each column and a scale for each row, and how many blocks there are.
__tile_global__ void epilogue(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k,
                              const float *__restrict__ bias, const float *__restrict__ scale,
                              bool counts) {
  const unsigned rows = ct::ceildiv(m, 64), columns = ct::ceildiv(n, 64);
  for (unsigned tile = ct::bid().x; tile < rows * columns; tile += ct::num_blocks().x) {
    const unsigned row = tile % rows, column = tile / rows;
    auto biases = ct::partition_view{view(bias, 1, n), ct::shape<1, 64>{}}.load_masked(0, column);
    auto scales = ct::partition_view{view(scale, m, 1), ct::shape<64, 1>{}}.load_masked(row, 0);
    auto sum = product<64, 64>(a, b, m, n, k, row, column) * scales + biases;
    ct::partition_view{view(c, m, n), ct::shape<64, 64>{}}.store_masked(sum, row, column);
  }
}

/// The order of tiles lies in memory, where no launch sees it.
__tile_global__ void in_order(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k,
                              const int *__restrict__ order) {
  const int rows = ct::ceildiv(m, 64), columns = ct::ceildiv(n, 64);
  for (int i = ct::bid().x; i < rows * columns; i += ct::num_blocks().x) {
    const int tile = ct::load(order + i);
    tile_of<64, 64>(a, b, c, m, n, k, tile / columns, tile % columns);
  }
}

/// Each tile is stored twice, once transposed, and the first of a block's knows that it is.
__tile_global__ void two_results(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                 float *__restrict__ c, int m, int n, int k, float *__restrict__ d,
                                 bool counts) {
  const int rows = ct::ceildiv(m, 64), columns = ct::ceildiv(n, 64);
  for (int tile = ct::bid().x; tile < rows * columns; tile += ct::num_blocks().x) {
    const int row = tile % rows, column = tile / rows;
    auto sum = product<64, 64>(a, b, m, n, k, row, column);
    if (counts)
      sum = sum + float(ct::num_blocks().x);
    ct::partition_view{view(c, m, n), ct::shape<64, 64>{}}.store_masked(sum, row, column);
    ct::partition_view{view(d, n, m), ct::shape<64, 64>{}}.store_masked(ct::transpose(sum), column,
                                                                        row);
  }
}

/// Columns of tiles in a loop, from the last one on; rows along y, of which the first is left out.
__tile_global__ void backwards(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                               float *__restrict__ c, int m, int n, int k) {
  const int columns = ct::ceildiv(n, 64);
  for (int i = ct::bid().x; i < columns; i += ct::num_blocks().x)
    tile_of<64, 64>(a, b, c, m, n, k, ct::bid().y + 1, columns - 1 - i);
}

double first_product(const operands &o, int batch, int row, int column, double before) {
  return batch ? before : o.product(0, row, column);
}

int main() {
  check("one block", bands<64, 64>, 1, {256, 256, 64}, first_product);
  check("fewer blocks", bands<64, 64>, 5, {256, 320, 96}, first_product);
  check("a band of what is left", bands<64, 64>, 7, {400, 320, 72}, first_product);
  check("rows of any length", bands<64, 64>, 3, {133, 271, 67}, first_product);
#ifdef ALL_CASES
  check("flat tiles", bands<16, 64>, 4, {150, 280, 40}, first_product);
#endif
  check("more blocks than tiles", bands<64, 64>, 40, {256, 256, 64}, first_product);
  check("a block for each", block_bands, 35, {400, 320, 72}, first_product);
  check("too many blocks", block_bands, 40, {320, 448, 40}, first_product);
  check("too few blocks", block_bands, 20, {256, 448, 40},
        [](const operands &o, int batch, int row, int column, double before) {
          const int place = column / 64 * 4 + row / 64;
          return batch || place >= 20 ? before : o.product(0, row, column);
        });
  check("neighbours", in_rows, 4, {192, 328, 64}, first_product);
  check("batches", batches, 6, {192, 320, 72},
        [](const operands &o, int batch, int row, int column, double) {
          return o.product(batch, row, column);
        });
  check("two axes", two_axes, dim3(5, 2), {320, 320, 64}, first_product);
  check("part of the columns", two_axes, dim3(3, 2), {320, 320, 64},
        [](const operands &o, int batch, int row, int column, double before) {
          return batch || column >= 192 ? before : o.product(0, row, column);
        });
  check("accumulated", accumulated, 1, {192, 256, 64},
        [](const operands &o, int batch, int row, int column, double before) {
          if (batch)
            return before;
          double sum = operands::before(std::size_t(row) * o.s.n + column % 64);
          for (int i = column % 64; i <= column; i += 64)
            sum += o.product(0, row, i);
          return sum;
        });
  check("on top", on_top, 1, {256, 256, 64},
        [](const operands &o, int batch, int row, int column, double before) {
          return batch || row >= 64 ? before : o.product(0, row + 192, column);
        });
  check("twice", some, 1, {256, 256, 64}, first_product, 1, 2);
  check("in another order", some, 5, {256, 256, 64}, first_product, 3, 1);
  check(
      "every second", some, 1, {256, 256, 64},
      [](const operands &o, int batch, int row, int column, double before) {
        return batch || column / 64 % 2 ? before : o.product(0, row, column);
      },
      2, 1);

  run::array<float> bias(328, [](std::size_t i) { return double(i % 7); }),
      scale(200, [](std::size_t i) { return double(i % 3); });
  check(
      "epilogue", epilogue, 6, {200, 328, 72},
      [&](const operands &o, int batch, int row, int column, double before) {
        return batch ? before : o.product(0, row, column) * scale[row] + bias[column];
      },
      (const float *)bias, (const float *)scale, true);

  run::array<int> order(20, [](std::size_t i) { return double(i * 7 % 20); });
  check("in order", in_order, 6, {256, 320, 64}, first_product, (const int *)order);
  for (bool counts : {false, true}) {
    run::array<float> transposed(200 * 328, [](std::size_t) { return 0.0; });
    check(
        counts ? "counted" : "two results", two_results, 6, {200, 328, 72},
        [=](const operands &o, int batch, int row, int column, double before) {
          return batch ? before : o.product(0, row, column) + 6 * counts;
        },
        (float *)transposed, counts);
    const operands o({200, 328, 72});
    run::expect("transposed", transposed, [&](std::size_t i) {
      return o.product(0, int(i % 200), int(i / 200)) + 6 * counts;
    });
  }
  check("backwards", backwards, dim3(2, 3), {256, 320, 64},
        [](const operands &o, int batch, int row, int column, double before) {
          return batch || row < 64 ? before : o.product(0, row, column);
        });
  return run::finish();
}
