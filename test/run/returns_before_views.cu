// What stands behind a return and must not be computed before it: a division by a number that is 0
// there, in the views themselves; alignment that holds only there; lengths below 0.
#include "attention.h"
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

constexpr int M = 128, N = 128, D = 128;

template <class T> __tile__ auto rows_of(T *p, int rows) {
  return ct::partition_view{
      ct::tensor_span{ct::assume_aligned<16>(p), ct::extents{rows, ct::integral_constant<D>{}}},
      ct::shape<M, D>{}};
}

// lengths, groups: [sequences]. Sequence i has the keys of matrix i / groups[i].
__tile_global__ void grouped(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                             bf16 *__restrict__ out, const int *__restrict__ lengths,
                             const int *__restrict__ groups, int rows) {
  const int block = ct::bid().x, i = ct::bid().y, length = lengths[i], group = groups[i];
  if (block * M >= length || reinterpret_cast<size_t>(k) % 16 != 0)
    return;
  auto query = rows_of(q + size_t(i) * rows * D, length).load_masked(block, 0);
  auto keys = rows_of(k + size_t(i / group) * rows * D, length);
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  auto weight = ct::zeros<ct::tile<float, ct::shape<M, 1>>>();
  auto column = ct::iota<ct::tile<int, ct::shape<1, N>>>();
  for (int j = 0; j < (length + N - 1) / N; ++j) {
    auto key = keys.load_masked(j, 0);
    auto s = ct::mma(query, ct::transpose(key), ct::zeros<ct::tile<float, ct::shape<M, N>>>());
    auto p = ct::select(ct::broadcast<ct::shape<M, N>>(column + j * N < length),
                        ct::exp2(s * 0.25f), ct::zeros<decltype(s)>());
    weight = weight + ct::sum<1>(p);
    sum = ct::mma(ct::element_cast<bf16>(p), key, sum);
  }
  rows_of(out + size_t(i) * rows * D, length)
      .store_masked(ct::element_cast<bf16>(sum * (1.0f / weight)), block, 0);
}

int main() {
  constexpr int rows = 300, sequences = 5;
  const int length[] = {300, -7, 129, 0, 200}, group[] = {1, 0, 2, 0, 2};
  const run::array<int> lengths(sequences, [&](auto i) { return length[i]; }),
      groups(sequences, [&](auto i) { return group[i]; });
  const std::size_t elements = std::size_t(sequences) * rows * D;
  auto number = [](std::size_t i) { return run::small(i + i / (64 * D) * 3) / 4; };
  const run::array<bf16> q(elements, [&](auto i) { return number(i); }),
      k(elements, [&](auto i) { return number(i + 5); });
  run::array<bf16> out(elements), none(elements);
  const dim3 grid((rows + M - 1) / M, sequences);
  grouped<<<grid, 1>>>(q, k, out, lengths, groups, rows);
  grouped<<<grid, 1>>>(q, k + 1, none, lengths, groups, rows);
  std::vector<double> wanted(elements);
  for (int s = 0; s < sequences; ++s)
    for (int i = 0; i < length[s]; ++i) {
      double *row = &wanted[(std::size_t(s) * rows + i) * D], weight = 0;
      for (int j = 0; j < length[s]; ++j) {
        const std::size_t key = (std::size_t(s / group[s]) * rows + j) * D;
        double score = 0;
        for (int d = 0; d < D; ++d)
          score += q[(std::size_t(s) * rows + i) * D + d] * k[key + d];
        const double p = std::exp2(score / 4);
        weight += p;
        for (int d = 0; d < D; ++d)
          row[d] += p * k[key + d];
      }
      for (int d = 0; d < D; ++d)
        row[d] /= weight;
    }
  run::expect("groups", out, [&](auto i) { return wanted[i]; }, run::tolerance<bf16> * 4);
  run::expect("keys that are not aligned", none, [](auto) { return 0; });
  return run::finish();
}
