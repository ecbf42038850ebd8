// attention_backward: the gradients of o = softmax(q k^T / sqrt(depth)) v, bf16 in memory, f32
// inside. With p = softmax(s) and do the gradient of the result,
//
//   dv = p^T do    dp = do v^T    ds = p (dp - rowsum(do o))    dq = ds k    dk = ds^T q
//
// where dq and dk also have the scale of the scores. No kernel stores p: each computes it from the
// scores and the logarithms of the row sums, which the forward kernel leaves. One kernel has a
// block of keys and walks along the queries, one has a block of queries and walks along the keys.
// Nothing is added by atomics, so that each run gives the same bits. `causal`: the last query sees
// all keys, and each query before it one key fewer.
//
//   attention_backward [BATCH HEADS QUERIES KEYS DEPTH] [causal|full]      DEPTH: 64 or 128
#include "attention.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

#include <cstring>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

// q, o, dout, dq: [heads, queries, Depth]. k, v, dk, dv: [heads, keys, Depth]. `heads` are those of
// the whole batch; they are dimension y of each grid. lse, delta: one float for each query, [heads,
// queries rounded up to whole blocks]. M: queries of a tile. N: keys of a tile.

constexpr int rows_of_block = 128; // queries or keys

/// The rows of `lse` or `delta` of one head.
template <int Size, class T> __tile__ auto row_tiles(T *array, int head, int queries) {
  const int padded = ct::ceildiv(queries, rows_of_block) * rows_of_block;
  return ct::partition_view{
      ct::tensor_span{ct::assume_aligned<16>(array) + size_t(head) * padded, ct::extents{padded}},
      ct::shape<Size>{}};
}

/// o, and lse: the base-2 logarithm of the sum of exponentials of a row's scores. It is infinite in
/// a row that sees no key, so that exp2(score - lse) is 0 there. Grid: blocks of queries, heads.
template <int M, int N, int Depth, bool IsCausal>
__tile_global__ void forward(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                             const bf16 *__restrict__ v, bf16 *__restrict__ o,
                             float *__restrict__ lse, int queries, int keys) {
  using scores = ct::tile<float, ct::shape<M, N>>;
  using column = ct::tile<float, ct::shape<M, 1>>;
  using values = ct::tile<float, ct::shape<M, Depth>>;

  const int block = sample::block_of_queries<IsCausal>(), head = ct::bid().y;
  auto k_tiles = sample::matrix_tiles<N, Depth>(k, head, keys);
  auto v_tiles = sample::matrix_tiles<N, Depth>(v, head, keys);
  auto query = sample::matrix_tiles<M, Depth>(q, head, queries).load_masked(block, 0);
  auto seen = sample::seen_by_rows<M, IsCausal>(block, queries, keys);
  auto key = ct::iota<ct::tile<int, ct::shape<1, N>>>();
  const float scale = sample::log2_e * ct::rsqrt(float(Depth));

  // Finite, so that exp2(-infinity - largest) is 0 in a row that has seen no key yet.
  auto largest = ct::full<column>(-1e30f), weight = ct::zeros<column>();
  auto sum = ct::zeros<values>();
  auto attend = [&](int i, auto is_masked) {
    auto s = ct::mma(query, ct::transpose(k_tiles.load_masked(i, 0)), ct::zeros<scores>());
    if constexpr (is_masked)
      s = ct::select(key + i * N < seen, s, ct::full<scores>(-INFINITY));
    auto now = ct::max(largest, ct::reduce_max<1>(s) * scale);
    auto p = ct::exp2(s * scale - now);
    auto fade = ct::exp2(largest - now);
    weight = weight * fade + ct::sum<1>(p);
    sum = ct::mma(ct::element_cast<bf16>(p), v_tiles.load_masked(i, 0), sum * fade);
    largest = now;
  };
  const int whole = sample::keys_seen<IsCausal>(block * M, queries, keys) / N;
  const int end = ct::ceildiv(sample::keys_seen<IsCausal>(block * M + M - 1, queries, keys), N);
  for (auto i : ct::irange(0, whole))
    attend(i, std::false_type{});
  for (auto i : ct::irange(whole, end))
    attend(i, std::true_type{});

  auto has_keys = weight > 0.0f;
  auto result = ct::select(has_keys, sum * (1.0f / weight), ct::zeros<values>());
  sample::matrix_tiles<M, Depth>(o, head, queries)
      .store_masked(ct::element_cast<bf16>(result), block, 0);
  auto logarithm = ct::select(has_keys, largest + ct::log2(weight), ct::full<column>(INFINITY));
  row_tiles<M>(lse, head, queries).store(ct::reshape(logarithm, ct::shape<M>{}), block);
}

/// delta = rowsum(dout * o). Grid: blocks of queries, heads.
template <int M, int Depth>
__tile_global__ void preprocess(const bf16 *__restrict__ o, const bf16 *__restrict__ dout,
                                float *__restrict__ delta, int queries) {
  const int block = ct::bid().x, head = ct::bid().y;
  auto o_tile = sample::matrix_tiles<M, Depth>(o, head, queries).load_masked(block, 0);
  auto dout_tile = sample::matrix_tiles<M, Depth>(dout, head, queries).load_masked(block, 0);
  auto sum = ct::sum<1>(ct::element_cast<float>(o_tile) * ct::element_cast<float>(dout_tile));
  row_tiles<M>(delta, head, queries).store(ct::reshape(sum, ct::shape<M>{}), block);
}

/// dk and dv. Scores are transposed, [keys, queries], so that p^T and ds^T go from one multiply to
/// the next in registers. Grid: blocks of keys, heads.
template <int M, int N, int Depth, bool IsCausal>
__tile_global__ void gradients_of_keys(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                                       const bf16 *__restrict__ v, const bf16 *__restrict__ dout,
                                       const float *__restrict__ lse,
                                       const float *__restrict__ delta, bf16 *__restrict__ dk,
                                       bf16 *__restrict__ dv, int queries, int keys) {
  using scores = ct::tile<float, ct::shape<N, M>>;
  using values = ct::tile<float, ct::shape<N, Depth>>;

  const int block = ct::bid().x, head = ct::bid().y;
  auto q_tiles = sample::matrix_tiles<M, Depth>(q, head, queries);
  auto dout_tiles = sample::matrix_tiles<M, Depth>(dout, head, queries);
  auto lse_tiles = row_tiles<M>(lse, head, queries);
  auto delta_tiles = row_tiles<M>(delta, head, queries);
  auto key = sample::matrix_tiles<N, Depth>(k, head, keys).load_masked(block, 0);
  auto value = sample::matrix_tiles<N, Depth>(v, head, keys).load_masked(block, 0);
  const float scale = ct::rsqrt(float(Depth));
  // The first query that sees a key is as far before the last query as the key before the last key.
  const int first_query = block * N + queries - keys;
  auto first = ct::iota<ct::tile<int, ct::shape<N, 1>>>() + first_query;
  auto row = ct::iota<ct::tile<int, ct::shape<1, M>>>();

  // Queries behind the end are 0, as is their dout, and add nothing. Keys behind the end are not
  // stored. So only causal attention has a mask.
  auto dk_sum = ct::zeros<values>(), dv_sum = ct::zeros<values>();
  auto add = [&](int i, auto is_masked) {
    auto query = q_tiles.load_masked(i, 0);
    auto dout_tile = dout_tiles.load_masked(i, 0);
    auto s = ct::mma(key, ct::transpose(query), ct::zeros<scores>());
    if constexpr (is_masked)
      s = ct::select(row + i * M >= first, s, ct::full<scores>(-INFINITY));
    auto p = ct::exp2(s * (sample::log2_e * scale) - lse_tiles.load(i));
    dv_sum = ct::mma(ct::element_cast<bf16>(p), dout_tile, dv_sum);
    auto dp = ct::mma(value, ct::transpose(dout_tile), ct::zeros<scores>());
    auto ds = p * (dp - delta_tiles.load(i));
    dk_sum = ct::mma(ct::element_cast<bf16>(ds), query, dk_sum);
  };
  const int end = ct::ceildiv(queries, M);
  int begin = 0, whole = 0;
  if constexpr (IsCausal) {
    begin = ct::max(first_query, 0) / M;
    whole = ct::min(ct::ceildiv(ct::max(first_query + N - 1, 0), M), end);
  }
  for (auto i : ct::irange(begin, whole))
    add(i, std::true_type{});
  for (auto i : ct::irange(whole, end))
    add(i, std::false_type{});

  sample::matrix_tiles<N, Depth>(dk, head, keys)
      .store_masked(ct::element_cast<bf16>(dk_sum * scale), block, 0);
  sample::matrix_tiles<N, Depth>(dv, head, keys)
      .store_masked(ct::element_cast<bf16>(dv_sum), block, 0);
}

/// dq. Grid: blocks of queries, heads.
template <int M, int N, int Depth, bool IsCausal>
__tile_global__ void gradients_of_queries(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                                          const bf16 *__restrict__ v, const bf16 *__restrict__ dout,
                                          const float *__restrict__ lse,
                                          const float *__restrict__ delta, bf16 *__restrict__ dq,
                                          int queries, int keys) {
  using scores = ct::tile<float, ct::shape<M, N>>;

  const int block = sample::block_of_queries<IsCausal>(), head = ct::bid().y;
  auto k_tiles = sample::matrix_tiles<N, Depth>(k, head, keys);
  auto v_tiles = sample::matrix_tiles<N, Depth>(v, head, keys);
  auto query = sample::matrix_tiles<M, Depth>(q, head, queries).load_masked(block, 0);
  auto dout_tile = sample::matrix_tiles<M, Depth>(dout, head, queries).load_masked(block, 0);
  auto column_of = [&](const float *array) {
    return ct::reshape(row_tiles<M>(array, head, queries).load(block), ct::shape<M, 1>{});
  };
  auto lse_column = column_of(lse), delta_column = column_of(delta);
  auto seen = sample::seen_by_rows<M, IsCausal>(block, queries, keys);
  auto key = ct::iota<ct::tile<int, ct::shape<1, N>>>();
  const float scale = ct::rsqrt(float(Depth));

  auto sum = ct::zeros<ct::tile<float, ct::shape<M, Depth>>>();
  auto add = [&](int i, auto is_masked) {
    auto keys_tile = k_tiles.load_masked(i, 0);
    auto s = ct::mma(query, ct::transpose(keys_tile), ct::zeros<scores>());
    if constexpr (is_masked)
      s = ct::select(key + i * N < seen, s, ct::full<scores>(-INFINITY));
    auto p = ct::exp2(s * (sample::log2_e * scale) - lse_column);
    auto dp = ct::mma(dout_tile, ct::transpose(v_tiles.load_masked(i, 0)), ct::zeros<scores>());
    auto ds = p * (dp - delta_column);
    sum = ct::mma(ct::element_cast<bf16>(ds), keys_tile, sum);
  };
  const int whole = sample::keys_seen<IsCausal>(block * M, queries, keys) / N;
  const int end = ct::ceildiv(sample::keys_seen<IsCausal>(block * M + M - 1, queries, keys), N);
  for (auto i : ct::irange(0, whole))
    add(i, std::false_type{});
  for (auto i : ct::irange(whole, end))
    add(i, std::true_type{});
  sample::matrix_tiles<M, Depth>(dq, head, queries)
      .store_masked(ct::element_cast<bf16>(sum * scale), block, 0);
}

template <int Depth, bool IsCausal>
void run(std::size_t batch, std::size_t heads, std::size_t queries, std::size_t keys) {
  constexpr int block = rows_of_block, step = 64;
  // As many scores at a time as fit into registers beside the sums of dk and dv.
  constexpr int query_step = Depth == 64 ? 128 : 64;
  const std::size_t all_heads = batch * heads, rows = all_heads * queries,
                    key_rows = all_heads * keys;
  const dim3 query_grid(sample::blocks_of(queries, block), all_heads),
      key_grid(sample::blocks_of(keys, block), all_heads);
  const std::size_t padded = query_grid.x * block;

  const auto q = sample::random_vector<bf16>(rows * Depth, 1),
             k = sample::random_vector<bf16>(key_rows * Depth, 2),
             v = sample::random_vector<bf16>(key_rows * Depth, 3),
             dout = sample::random_vector<bf16>(rows * Depth, 4);
  sample::device_array<bf16> device_q(q), device_k(k), device_v(v), device_dout(dout),
      device_o(rows * Depth), device_dq(rows * Depth), device_dk(key_rows * Depth),
      device_dv(key_rows * Depth);
  sample::device_array<float> device_lse(all_heads * padded), device_delta(all_heads * padded);

  forward<block, step, Depth, IsCausal><<<query_grid, 1>>>(device_q.get(), device_k.get(),
                                                           device_v.get(), device_o.get(),
                                                           device_lse.get(), queries, keys);
  const double time = sample::median_microseconds([&] {
    preprocess<block, Depth>
        <<<query_grid, 1>>>(device_o.get(), device_dout.get(), device_delta.get(), queries);
    gradients_of_keys<query_step, block, Depth, IsCausal><<<key_grid, 1>>>(
        device_q.get(), device_k.get(), device_v.get(), device_dout.get(), device_lse.get(),
        device_delta.get(), device_dk.get(), device_dv.get(), queries, keys);
    gradients_of_queries<block, step, Depth, IsCausal>
        <<<query_grid, 1>>>(device_q.get(), device_k.get(), device_v.get(), device_dout.get(),
                            device_lse.get(), device_delta.get(), device_dq.get(), queries, keys);
  });

  const auto o = device_o.to_host(), dq = device_dq.to_host(), dk = device_dk.to_host(),
             dv = device_dv.to_host();
  const auto lse = device_lse.to_host();
  const double scale = 1 / std::sqrt(double(Depth)), ln2 = std::log(2.0);
  auto dot = [](const std::vector<bf16> &a, std::size_t row_of_a, const std::vector<bf16> &b,
                std::size_t row_of_b) {
    return sample::dot(&a[row_of_a * Depth], &b[row_of_b * Depth], Depth);
  };
  // Row `row` of a result against sum of weights[i] * terms[first + i], row by row.
  auto expect_sum = [&](const std::vector<bf16> &result, std::size_t row,
                        const std::vector<double> &weights, const std::vector<bf16> &terms,
                        std::size_t first) {
    double squares = 0;
    for (double weight : weights)
      squares += weight * weight;
    for (std::size_t c = 0; c < Depth; ++c) {
      double wanted = 0;
      for (std::size_t i = 0; i < weights.size(); ++i)
        wanted += weights[i] * double(float(terms[(first + i) * Depth + c]));
      // Weights are rounded to bf16 ahead of the multiply; their errors add like random numbers.
      sample::expect_near(float(result[row * Depth + c]), wanted, 1e-2,
                          5e-3 * std::sqrt(squares) + 1e-6, row, c);
    }
  };
  std::vector<double> weights, derivatives;

  double pairs = 0;
  for (std::size_t query = 0; query < queries; ++query)
    pairs += double(all_heads) * sample::keys_seen<IsCausal>(query, queries, keys);

  sample::for_some_rows(rows, 4 * keys * Depth, [&](std::size_t row) {
    const std::size_t query = row % queries, first = row / queries * keys;
    const std::size_t size = sample::keys_seen<IsCausal>(query, queries, keys);
    weights.resize(size), derivatives.resize(size);
    for (std::size_t j = 0; j < size; ++j)
      weights[j] = dot(q, row, k, first + j) * scale;
    const double logarithm = sample::softmax(weights.data(), size);
    if (size != 0)
      sample::expect_near(lse[row / queries * padded + query] * ln2, logarithm, 1e-4, 1e-4, row, 0);
    expect_sum(o, row, weights, v, first);
    const double delta = dot(dout, row, o, row);
    for (std::size_t j = 0; j < size; ++j)
      derivatives[j] = scale * weights[j] * (dot(dout, row, v, first + j) - delta);
    expect_sum(dq, row, derivatives, k, first);
  });
  // A row of dk and dv needs the logarithms of all queries. They are the forward kernel's, because
  // to compute them here takes as long as to check all rows.
  sample::for_some_rows(key_rows, 5 * queries * Depth, [&](std::size_t row) {
    const std::size_t key = row % keys, head = row / keys, first = head * queries;
    weights.assign(queries, 0), derivatives.assign(queries, 0);
    for (std::size_t i = 0; i < queries; ++i) {
      if (key >= std::size_t(sample::keys_seen<IsCausal>(i, queries, keys)))
        continue;
      weights[i] = std::exp(dot(q, first + i, k, row) * scale - lse[head * padded + i] * ln2);
      derivatives[i] =
          scale * weights[i] * (dot(dout, first + i, v, row) - dot(dout, first + i, o, first + i));
    }
    expect_sum(dv, row, weights, dout, first);
    expect_sum(dk, row, derivatives, q, first);
  });

  // As is usual, scores and dp are counted once, though both kernels compute them.
  std::printf("attention_backward %zux%zux%zux%zux%d %s: %.1f us, %.3f TFLOP/s\n", batch, heads,
              queries, keys, Depth, IsCausal ? "causal" : "full", time,
              sample::giga_per_second(10 * pairs * Depth, time) * 1e-3);
}

#ifndef KERNELS_ONLY // samples/python/attention.py launches them itself
int main(int argc, char **argv) {
  const bool is_full = argc > 1 && std::strcmp(argv[argc - 1], "full") == 0;
  if (is_full || (argc > 1 && std::strcmp(argv[argc - 1], "causal") == 0))
    --argc;
  const unsigned batch = sample::size_argument(argc, argv, 1, 1);
  const unsigned heads = sample::size_argument(argc, argv, 2, 2);
  const unsigned queries = sample::size_argument(argc, argv, 3, 256);
  const unsigned keys = sample::size_argument(argc, argv, 4, queries);
  const unsigned depth = sample::size_argument(argc, argv, 5, 64);
  if (depth != 64 && depth != 128)
    return std::fprintf(stderr, "error: attention_backward takes a depth of 64 or 128\n"), 1;
  if (depth == 64)
    (is_full ? run<64, false> : run<64, true>)(batch, heads, queries, keys);
  else
    (is_full ? run<128, false> : run<128, true>)(batch, heads, queries, keys);
}
#endif
