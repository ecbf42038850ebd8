// What the samples about attention share: views of their matrices, and the softmax that results are
// held against.
#pragma once
#include "sample.h"

#include <cuda_tile.h>

namespace sample {

/// Natural exponentials are powers of two: exp(x) = exp2(log2_e x).
constexpr float log2_e = 1.44269504f;

/// Matrix `index` of an array of matrices, [rows, Columns] each, in tiles of Height whole rows. The
/// array is aligned to 16 bytes.
template <int Height, int Columns, class T>
__tile__ auto matrix_tiles(T *array, int index, int rows) {
  namespace ct = cuda::tiles;
  T *matrix = ct::assume_aligned<16>(array) + size_t(index) * rows * Columns;
  return ct::partition_view{
      ct::tensor_span{matrix, ct::extents{rows, ct::integral_constant<Columns>{}}},
      ct::shape<Height, Columns>{}};
}

/// Of causal attention the last query sees all keys, and each query before it one key fewer.
template <bool IsCausal> __host__ __tile__ inline int keys_seen(int query, int queries, int keys) {
  const int seen = IsCausal ? query + 1 + keys - queries : keys;
  return seen < 0 ? 0 : seen < keys ? seen : keys;
}

/// The same of the Height queries of a block, as a column of the keys' numbers.
template <int Height, bool IsCausal> __tile__ auto seen_by_rows(int block, int queries, int keys) {
  namespace ct = cuda::tiles;
  using column = ct::tile<int, ct::shape<Height, 1>>;
  auto seen = ct::full<column>(keys);
  if constexpr (IsCausal)
    seen = ct::min(ct::iota<column>() + (block * Height + 1 + keys - queries), seen);
  return seen;
}

/// Which block of queries this block computes: the last one of causal attention has the most keys,
/// so it starts first.
template <bool IsCausal> __tile__ inline int block_of_queries() {
  namespace ct = cuda::tiles;
  return IsCausal ? ct::num_blocks().x - 1 - ct::bid().x : ct::bid().x;
}

inline unsigned blocks_of(unsigned size, unsigned block) { return (size + block - 1) / block; }

template <class T> double dot(const T *a, const T *b, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i)
    sum += double(float(a[i])) * double(float(b[i]));
  return sum;
}

/// The softmax of `size` scores in place; returns the natural logarithm of the sum of their
/// exponentials.
inline double softmax(double *scores, std::size_t size) {
  const double largest = size == 0 ? 0 : *std::max_element(scores, scores + size);
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i)
    sum += scores[i] = std::exp(scores[i] - largest);
  for (std::size_t i = 0; i < size; ++i)
    scores[i] /= sum;
  return largest + std::log(sum);
}

/// Calls `check(row)` for all rows where that takes a second or so, else for as many, evenly spread
/// over them and the last one included. `cost`: multiplications that one row takes.
template <class Check> void for_some_rows(std::size_t rows, std::size_t cost, Check check) {
  const std::size_t count = std::clamp<std::size_t>(200'000'000 / cost, 1, rows);
  for (std::size_t i = 1; i <= count; ++i)
    check(i * rows / count - 1);
}

} // namespace sample
