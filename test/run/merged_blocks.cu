// options: --extensions
// Products of small tiles, whose launches run a kernel that does the work of several blocks at a
// time: grids that are no multiple of it, that leave parts of the result alone or go beyond it,
// results in every order, epilogues with rows, columns and numbers of their own, several sums,
// batches, loops that blocks do not agree on.
#include "products.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

template <class T> __tile__ auto view(T *base, int rows, int columns) {
  return ct::tensor_span{base, ct::extents{rows, columns}};
}

template <int M, int N, int K>
__tile__ auto product(const bf16 *a, const bf16 *b, int m, int n, int k, int row, int column) {
  auto as = ct::partition_view{view(a, m, k), ct::shape<M, K>{}};
  auto bs = ct::partition_view{view(b, k, n), ct::shape<K, N>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i)
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  return sum;
}

template <int M, int N, int K>
__tile_global__ void plain(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  ct::partition_view{view(c, m, n), ct::shape<M, N>{}}.store_masked(
      product<M, N, K>(a, b, m, n, k, row, column), row, column);
}

/// Rows along x, columns along z; the result is stored transposed.
__tile_global__ void turned(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                            float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().x, column = ct::bid().z;
  ct::partition_view{view(c, n, m), ct::shape<64, 64>{}}.store_masked(
      ct::transpose(product<64, 64, 64>(a, b, m, n, k, row, column)), column, row);
}

/// A bias for each column, a scale for each row, a branch that all blocks take or none, and what
/// every block adds alike.
__tile_global__ void epilogue(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k,
                              const float *__restrict__ bias, const float *__restrict__ scale,
                              bool is_scaled) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = product<64, 64, 64>(a, b, m, n, k, row, column);
  auto biases = ct::partition_view{view(bias, 1, n), ct::shape<1, 64>{}}.load_masked(0, column);
  auto scales = ct::partition_view{view(scale, m, 1), ct::shape<64, 1>{}}.load_masked(row, 0);
  if (is_scaled)
    sum = sum * scales + 2.0f;
  sum = ct::max(sum + biases, ct::zeros<ct::tile<float, ct::shape<64, 64>>>() - 40.0f);
  ct::partition_view{view(c, m, n), ct::shape<64, 64>{}}.store_masked(sum, row, column);
}

/// What lies in a result's columns decides about it: of each block's own columns.
__tile_global__ void by_row(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                            float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = product<64, 64, 64>(a, b, m, n, k, row, column);
  ct::partition_view{view(c, m, n), ct::shape<64, 64>{}}.store_masked(sum - ct::reduce_max<1>(sum),
                                                                      row, column);
}

/// Two sums over one loop; every block begins at its second column of tiles.
__tile_global__ void two_sums(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x + 1;
  auto as = ct::partition_view{view(a, m, k), ct::shape<64, 64>{}};
  auto bs = ct::partition_view{view(b, k, n), ct::shape<64, 64>{}};
  auto x = ct::zeros<ct::tile<float, ct::shape<64, 64>>>(), y = x;
  for (int i = 0; i < ct::ceildiv(k, 64); ++i) {
    x = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), x);
    y = ct::mma(as.load_masked(row, i), bs.load_masked(i, 0), y);
  }
  ct::partition_view{view(c, m, n), ct::shape<64, 64>{}}.store_masked(x - y, row, column);
}

/// Each block has as many steps as its row says.
__tile_global__ void triangle(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto as = ct::partition_view{view(a, m, k), ct::shape<64, 64>{}};
  auto bs = ct::partition_view{view(b, k, n), ct::shape<64, 64>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  for (int i = 0; i <= row && i < ct::ceildiv(k, 64); ++i)
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  ct::partition_view{view(c, m, n), ct::shape<64, 64>{}}.store_masked(sum, row, column);
}

/// A batch along z, and tiles that lie one off to the left: the first column's are outside.
__tile_global__ void shifted(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                             float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x, batch = ct::bid().z;
  a += batch * m * k, b += batch * k * n, c += batch * m * n;
  auto sum = product<64, 64, 64>(a, b, m, n, k, row, column - 1);
  ct::partition_view{view(c, m, n), ct::shape<64, 64>{}}.store_masked(sum + 1.0f, row, column);
}

/// The result is where it was read from, and the number of blocks part of it.
__tile_global__ void in_place(const bf16 *a, const bf16 *b, float *c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto cs = ct::partition_view{view(c, m, n), ct::shape<64, 64>{}};
  auto before = cs.load_masked(row, column);
  auto sum = product<64, 64, 64>(a, b, m, n, k, row, column);
  cs.store_masked(before + sum + float(ct::num_blocks().x * 100 + ct::num_blocks().y), row, column);
}

/// The first batch's product, as far as the grid covers it with tiles of tile_m x tile_n.
auto covered(dim3 grid, int tile_m, int tile_n) {
  return [=](const operands &o, int batch, int row, int column, double before) {
    const bool is_there = batch == 0 && row < int(grid.y) * tile_m && column < int(grid.x) * tile_n;
    return is_there ? o.product(0, row, column, o.s.k) : before;
  };
}

template <int M, int N, int K> void check_plain(const char *name, dim3 grid, sizes s) {
  check(name, plain<M, N, K>, grid, s, covered(grid, M, N));
}

int main() {
  check_plain<64, 64, 64>("whole", dim3(4, 4), {256, 256, 128});
  check_plain<64, 64, 64>("odd grid", dim3(5, 3), {192, 320, 96});
  check_plain<64, 64, 64>("part of the result", dim3(5, 3), {256, 384, 64});
  check_plain<64, 64, 64>("beyond the result", dim3(7, 5), {200, 328, 72});
  check_plain<64, 64, 64>("rows of any length", dim3(5, 3), {133, 271, 67});
  check_plain<64, 64, 64>("one block", dim3(1, 1), {64, 64, 64});
#ifdef ALL_CASES
  check_plain<32, 32, 32>("small tiles", dim3(9, 5), {150, 280, 40});
#endif
  check_plain<16, 64, 64>("flat tiles", dim3(5, 9), {140, 280, 40});
  check_plain<256, 64, 32>("long tiles", dim3(3, 1), {256, 192, 32});

  // Columns of the first batch's product are rows of what is stored.
  check("turned", turned, dim3(3, 1, 3), {192, 192, 64},
        [](const operands &o, int batch, int row, int column, double before) {
          return batch ? before : o.product(0, column, row, o.s.k);
        });

  run::array<float> bias(328, [](std::size_t i) { return double(i % 7); }),
      scale(200, [](std::size_t i) { return double(i % 3); });
  for (bool is_scaled : {false, true})
    check(
        is_scaled ? "scaled" : "biased", epilogue, dim3(6, 4), {200, 328, 72},
        [&](const operands &o, int batch, int row, int column, double before) {
          double sum = o.product(0, row, column, o.s.k);
          if (is_scaled)
            sum = sum * scale[row] + 2;
          return batch ? before : std::max(sum + bias[column], -40.0);
        },
        (const float *)bias, (const float *)scale, is_scaled);

  // Elements are asked for in the order of memory, so that one maximum is for 64 of them.
  double most = 0;
  check("by row", by_row, dim3(5, 3), {192, 320, 64},
        [&](const operands &o, int batch, int row, int column, double before) {
          for (int i = 0; i < 64 && column % 64 == 0; ++i)
            most = std::max(i ? most : -1e30, o.product(0, row, column + i, o.s.k));
          return batch ? before : o.product(0, row, column, o.s.k) - most;
        });
  check("two sums", two_sums, dim3(4, 3), {192, 320, 64},
        [](const operands &o, int batch, int row, int column, double before) {
          return batch || column < 64
                     ? before
                     : o.product(0, row, column, o.s.k) - o.product(0, row, column % 64, o.s.k);
        });
  check("triangle", triangle, dim3(5, 3), {192, 320, 192},
        [](const operands &o, int batch, int row, int column, double before) {
          return batch ? before : o.product(0, row, column, (row / 64 + 1) * 64);
        });
  check("shifted", shifted, dim3(5, 3, 2), {192, 320, 64},
        [](const operands &o, int batch, int row, int column, double) {
          return o.product(batch, row, column - 64, o.s.k) + 1;
        });
  check("in place", in_place, dim3(5, 3), {180, 310, 64},
        [](const operands &o, int batch, int row, int column, double before) {
          return batch ? before : before + o.product(0, row, column, o.s.k) + 503;
        });
  return run::finish();
}
