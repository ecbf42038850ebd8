// The matrix products that bench/shapes times, as a program would have them: extents known when
// the kernel runs, edges masked, the tile a template argument that the host chooses.
#pragma once

#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace shapes {

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

/// Adds to `sum` steps `first` to `last` of the tile of A B at (row, column). A is m x k, B k x n.
template <int M, int N, int K>
__tile__ auto sum_of_steps(const bf16 *__restrict__ a, const bf16 *__restrict__ b, unsigned m,
                           unsigned n, unsigned k, int row, int column, int first, int last) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<M, K>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<K, N>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (auto i : ct::irange(first, last))
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  return sum;
}

/// A tile of C by the block at its place in the grid. Divisor: what n and k are known to be
/// multiples of.
template <int M, int N, int K, int Divisor>
__tile__ void tile_of_block(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                            bf16 *__restrict__ c, unsigned m, unsigned n, unsigned k) {
  a = ct::assume_aligned<16>(a);
  b = ct::assume_aligned<16>(b);
  c = ct::assume_aligned<16>(c);
  n = ct::assume_divisible<Divisor>(n);
  k = ct::assume_divisible<Divisor>(k);
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = sum_of_steps<M, N, K>(a, b, m, n, k, row, column, 0, int((k + K - 1) / K));
  cs.store_masked(ct::element_cast<bf16>(sum), row, column);
}

/// A block for each tile of C.
template <int M, int N, int K, int Divisor>
__tile_global__ void plain(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           bf16 *__restrict__ c, unsigned m, unsigned n, unsigned k) {
  tile_of_block<M, N, K, Divisor>(a, b, c, m, n, k);
}

/// The same, for grids of few tiles: each block has a multiprocessor to itself.
template <int M, int N, int K, int Divisor> [[using cutile: hint(0, occupancy = 1)]]
__tile_global__ void alone(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           bf16 *__restrict__ c, unsigned m, unsigned n, unsigned k) {
  tile_of_block<M, N, K, Divisor>(a, b, c, m, n, k);
}

/// Blocks that take tile after tile, in bands of eight rows of tiles.
template <int M, int N, int K, int Divisor>
__tile_global__ void persistent(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                bf16 *__restrict__ c, unsigned m, unsigned n, unsigned k) {
  a = ct::assume_aligned<16>(a);
  b = ct::assume_aligned<16>(b);
  c = ct::assume_aligned<16>(c);
  n = ct::assume_divisible<Divisor>(n);
  k = ct::assume_divisible<Divisor>(k);
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  const int rows = (m + M - 1) / M, columns = (n + N - 1) / N;
  for (int tile = ct::bid().x; tile < rows * columns; tile += ct::num_blocks().x) {
    const int first = tile / (8 * columns) * 8;
    const int band = rows - first < 8 ? rows - first : 8;
    const int row = first + tile % (8 * columns) % band, column = tile % (8 * columns) / band;
    auto sum = sum_of_steps<M, N, K>(a, b, m, n, k, row, column, 0, int((k + K - 1) / K));
    cs.store_masked(ct::element_cast<bf16>(sum), row, column);
  }
}

/// Part of a tile of C: those steps along K that are the block's share, of as many parts as the
/// grid is deep.
template <int M, int N, int K, int Divisor>
__tile__ void part_of_block(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                            float *__restrict__ sums, unsigned m, unsigned n, unsigned k) {
  a = ct::assume_aligned<16>(a);
  b = ct::assume_aligned<16>(b);
  sums = ct::assume_aligned<16>(sums);
  n = ct::assume_divisible<Divisor>(n);
  k = ct::assume_divisible<Divisor>(k);
  const unsigned parts = ct::num_blocks().z, part = ct::bid().z;
  auto cs =
      ct::partition_view{ct::tensor_span{sums, ct::extents{parts, m, n}}, ct::shape<1, M, N>{}};
  const int row = ct::bid().y, column = ct::bid().x;
  const int steps = (k + K - 1) / K, each = (steps + parts - 1) / parts;
  const int first = part * each, last = first + each < steps ? first + each : steps;
  auto sum = sum_of_steps<M, N, K>(a, b, m, n, k, row, column, first, last);
  cs.store_masked(ct::reshape(sum, ct::shape<1, M, N>{}), part, row, column);
}

/// A block for each tile and each of the grid's parts along K, whose sums wait in memory: parts x
/// m x n.
template <int M, int N, int K, int Divisor>
__tile_global__ void split(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           float *__restrict__ sums, unsigned m, unsigned n, unsigned k) {
  part_of_block<M, N, K, Divisor>(a, b, sums, m, n, k);
}

template <int M, int N, int K, int Divisor> [[using cutile: hint(0, occupancy = 1)]]
__tile_global__ void split_alone(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                 float *__restrict__ sums, unsigned m, unsigned n, unsigned k) {
  part_of_block<M, N, K, Divisor>(a, b, sums, m, n, k);
}

/// y = x B: no multiply of matrices, since there is one row. Parts along K as above.
template <int N, int K, int Divisor>
__tile_global__ void row(const bf16 *__restrict__ x, const bf16 *__restrict__ b,
                         float *__restrict__ sums, unsigned n, unsigned k) {
  x = ct::assume_aligned<16>(x);
  b = ct::assume_aligned<16>(b);
  sums = ct::assume_aligned<16>(sums);
  n = ct::assume_divisible<Divisor>(n);
  k = ct::assume_divisible<Divisor>(k);
  const unsigned parts = ct::num_blocks().z, part = ct::bid().z;
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{k, 1u}}, ct::shape<K, 1>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<K, N>{}};
  auto cs = ct::partition_view{ct::tensor_span{sums, ct::extents{parts, n}}, ct::shape<1, N>{}};
  const int column = ct::bid().x;
  const int steps = (k + K - 1) / K, each = (steps + parts - 1) / parts;
  const int first = part * each, last = first + each < steps ? first + each : steps;
  auto sum = ct::zeros<ct::tile<float, ct::shape<K, N>>>();
  for (auto i : ct::irange(first, last))
    sum = sum + ct::element_cast<float>(xs.load_masked(i, 0)) *
                    ct::element_cast<float>(bs.load_masked(i, column));
  cs.store_masked(ct::sum<0>(sum), part, column);
}

/// C = the sum of the parts, all of `count` elements.
template <int Divisor> __tile_global__ void
sum_of_parts(const float *__restrict__ sums, bf16 *__restrict__ c, unsigned count, unsigned parts) {
  constexpr int width = 1024;
  sums = ct::assume_aligned<16>(sums);
  c = ct::assume_aligned<16>(c);
  count = ct::assume_divisible<Divisor>(count);
  auto in =
      ct::partition_view{ct::tensor_span{sums, ct::extents{parts, count}}, ct::shape<1, width>{}};
  auto out = ct::partition_view{ct::tensor_span{c, ct::extents{1u, count}}, ct::shape<1, width>{}};
  auto sum = in.load_masked(0, ct::bid().x);
  for (auto part : ct::irange(1, int(parts)))
    sum = sum + in.load_masked(part, ct::bid().x);
  out.store_masked(ct::element_cast<bf16>(sum), 0, ct::bid().x);
}

/// The experts of a mixture, as in samples/grouped_matmul.cu; their matrices are one array of three
/// dimensions, and each tile of rows knows its expert.
template <int M, int N, int K>
__tile__ void tile_of_expert(const bf16 *__restrict__ x, const bf16 *__restrict__ w,
                             bf16 *__restrict__ y, const int *__restrict__ first_row,
                             const int *__restrict__ expert_of, const int *__restrict__ tile_of,
                             unsigned experts, unsigned n, unsigned k) {
  x = ct::assume_aligned<16>(x);
  w = ct::assume_aligned<16>(w);
  y = ct::assume_aligned<16>(y);
  n = ct::assume_divisible<8>(n);
  k = ct::assume_divisible<8>(k);
  const int column = ct::bid().x, expert = expert_of[ct::bid().y], row = tile_of[ct::bid().y];
  const int begin = first_row[expert];
  const auto rows = unsigned(first_row[expert + 1] - begin);
  auto xs = ct::partition_view{ct::tensor_span{x + std::size_t(begin) * k, ct::extents{rows, k}},
                               ct::shape<M, K>{}};
  auto ws =
      ct::partition_view{ct::tensor_span{w, ct::extents{experts, k, n}}, ct::shape<1, K, N>{}};
  auto ys = ct::partition_view{ct::tensor_span{y + std::size_t(begin) * n, ct::extents{rows, n}},
                               ct::shape<M, N>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (auto i : ct::irange(0, int(k + K - 1) / K))
    sum = ct::mma(xs.load_masked(row, i),
                  ct::reshape(ws.load_masked(expert, i, column), ct::shape<K, N>{}), sum);
  ys.store_masked(ct::element_cast<bf16>(sum), row, column);
}

template <int M, int N, int K>
__tile_global__ void grouped(const bf16 *__restrict__ x, const bf16 *__restrict__ w,
                             bf16 *__restrict__ y, const int *__restrict__ first_row,
                             const int *__restrict__ expert_of, const int *__restrict__ tile_of,
                             unsigned experts, unsigned n, unsigned k) {
  tile_of_expert<M, N, K>(x, w, y, first_row, expert_of, tile_of, experts, n, k);
}

template <int M, int N, int K> [[using cutile: hint(0, occupancy = 1)]]
__tile_global__ void
grouped_alone(const bf16 *__restrict__ x, const bf16 *__restrict__ w, bf16 *__restrict__ y,
              const int *__restrict__ first_row, const int *__restrict__ expert_of,
              const int *__restrict__ tile_of, unsigned experts, unsigned n, unsigned k) {
  tile_of_expert<M, N, K>(x, w, y, first_row, expert_of, tile_of, experts, n, k);
}

} // namespace shapes
