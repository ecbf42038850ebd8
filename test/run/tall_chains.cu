// Attention of 256 rows per block: more than two warpgroups hold in registers, so that the rows
// are computed in parts. Rows that masks and pointers count, a result by pointers, statistics of
// one dimension, branches that carry tiles; odd lengths. A result that may be an operand keeps the
// block whole, as does a sum over its rows.
#include "attention.h"
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

#include <algorithm>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

enum class form { full, causal, aliased, summed };

template <int Rows, int D, class T> __tile__ auto rows_of(T *p, int rows) {
  return ct::partition_view{
      ct::tensor_span{ct::assume_aligned<16>(p), ct::extents{rows, ct::integral_constant<D>{}}},
      ct::shape<Rows, D>{}};
}

template <int M, int N, int D, form Form> __tile__ void
attend(const bf16 *q, const bf16 *k, const bf16 *v, bf16 *out, float *weights, int rows, int keys) {
  using scores = ct::tile<float, ct::shape<M, N>>;
  const int block = ct::bid().x;
  auto query = rows_of<M, D>(q, rows).load_masked(block, 0);
  auto k_tiles = rows_of<N, D>(k, keys), v_tiles = rows_of<N, D>(v, keys);
  auto row = ct::iota<ct::tile<int, ct::shape<M>>>() + block * M;
  auto column = ct::iota<ct::tile<int, ct::shape<1, N>>>();
  auto weight = ct::zeros<ct::tile<float, ct::shape<M>>>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  int end = (keys + N - 1) / N;
  if (Form == form::causal)
    end = ct::min(end, (block * M + M + N - 1) / N);
  for (int i = 0; i < end; ++i) {
    auto s = ct::mma(query, ct::transpose(k_tiles.load_masked(i, 0)), ct::zeros<scores>());
    if ((i + 1) * N > keys || Form == form::causal) {
      auto key = column + i * N;
      auto is_seen = ct::broadcast<ct::shape<M, N>>(key < keys);
      if constexpr (Form == form::causal)
        is_seen = is_seen & (key <= ct::reshape(row, ct::shape<M, 1>{}));
      s = ct::select(is_seen, s, ct::full<scores>(-INFINITY));
    }
    auto p = ct::exp2(s * 0.25f);
    weight = weight + ct::reshape(ct::sum<1>(p), ct::shape<M>{});
    sum = ct::mma(ct::element_cast<bf16>(p), v_tiles.load_masked(i, 0), sum);
  }
  auto divisor = ct::reshape(weight, ct::shape<M, 1>{});
  if constexpr (Form == form::summed) {
    auto stored = ct::select(row < rows, weight, ct::zeros<decltype(weight)>());
    divisor = ct::broadcast<ct::shape<M, 1>>(ct::reshape(ct::sum<0>(stored), ct::shape<1, 1>{}));
  }
  auto result = sum * (1.0f / divisor);
  rows_of<M, D>(out, rows).store_masked(ct::element_cast<bf16>(result), block, 0);
  ct::store_masked(weights + row, weight, row < rows);
}

template <int M, int N, int D, form Form>
__tile_global__ void attention(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                               const bf16 *__restrict__ v, bf16 *__restrict__ out,
                               float *__restrict__ weights, int rows, int keys) {
  attend<M, N, D, Form>(q, k, v, out, weights, rows, keys);
}

// The result may be any of the operands.
template <int M, int N, int D, form Form>
__tile_global__ void attention_in_place(const bf16 *q, const bf16 *k, const bf16 *v, bf16 *out,
                                        float *weights, int rows, int keys) {
  attend<M, N, D, Form>(q, k, v, out, weights, rows, keys);
}

template <int M, int N, int D, form Form> void test(const char *name, int rows, int keys) {
  auto number = [](std::size_t i) { return run::small(i + i / (64 * D) * 3) / 4; };
  run::array<bf16> q(std::size_t(rows) * D, [&](auto i) { return number(i); }),
      k(std::size_t(keys) * D, [&](auto i) { return number(i + 5); }),
      v(std::size_t(keys) * D, [&](auto i) { return number(i + 11); }), out(q.size);
  const int blocks = (rows + M - 1) / M;
  run::array<float> weights(rows);
  std::vector<double> wanted(q.size), wanted_weights(rows), totals(blocks);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < (Form == form::causal ? std::min(i + 1, keys) : keys); ++j) {
      double score = 0;
      for (int d = 0; d < D; ++d)
        score +=
            q[std::size_t(i) * D + d] * (Form == form::aliased ? q : k)[std::size_t(j) * D + d];
      const double p = std::exp2(score / 4);
      wanted_weights[i] += p;
      for (int d = 0; d < D; ++d)
        wanted[std::size_t(i) * D + d] += p * v[std::size_t(j) * D + d];
    }
    totals[i / M] += wanted_weights[i];
  }
  for (int i = 0; i < rows; ++i)
    for (int d = 0; d < D; ++d)
      wanted[std::size_t(i) * D + d] /= Form == form::summed ? totals[i / M] : wanted_weights[i];
  if constexpr (Form == form::aliased) // one block, which reads all before it writes
    attention_in_place<M, N, D, form::full><<<blocks, 1>>>(q, q, v, q, weights, rows, keys);
  else
    attention<M, N, D, Form><<<blocks, 1>>>(q, k, v, out, weights, rows, keys);
  run::expect(
      name, Form == form::aliased ? q : out, [&](auto i) { return wanted[i]; },
      run::tolerance<bf16> * 4);
  run::expect("  weights", weights, [&](auto i) { return wanted_weights[i]; }, 1e-4);
}

int main() {
  test<256, 128, 128, form::full>("tall", 512, 256);
  test<256, 128, 128, form::full>("tall, odd", 600, 277);
  test<256, 128, 128, form::causal>("tall, causal", 700, 700);
  test<256, 64, 128, form::causal>("tall, small blocks of keys", 333, 333);
  test<256, 128, 64, form::full>("tall, short rows", 300, 150);
  test<256, 128, 128, form::aliased>("tall, in place", 200, 200);
  test<256, 128, 128, form::summed>("tall, a sum over rows", 300, 150);
  return run::finish();
}
