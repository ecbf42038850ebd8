// mla_prefill: multi-head latent attention of a prompt, o = softmax(q k^T / sqrt(192)) v, bf16 in
// memory, f32 inside. A query and a key have 128 elements without position ("nope") and 64 with
// rotary position ("rope"), in arrays of their own; all heads share the rope part of a key. A score
// is the sum of two products. A block holds its queries and walks along the keys with an online
// softmax. `causal`: the last query sees all keys, and each query before it one key fewer.
//
//   mla_prefill [BATCH HEADS QUERIES KEYS] [causal|full]
#include "attention.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

#include <cstring>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

constexpr int nope = 128, rope = 64, width = 128; // elements of a query or key, and of a value

/// q_nope: [batch, heads, queries, 128]. q_rope: [batch, heads, queries, 64]. k_nope, v: [batch,
/// heads, keys, 128]. k_rope: [batch, keys, 64]. o: [batch, heads, queries, 128], 0 where a query
/// sees no key. M: queries of a block. N: keys of an iteration. Grid: blocks of queries, heads,
/// batch.
template <int M, int N, bool IsCausal>
__tile_global__ void mla_prefill(const bf16 *__restrict__ q_nope, const bf16 *__restrict__ q_rope,
                                 const bf16 *__restrict__ k_nope, const bf16 *__restrict__ k_rope,
                                 const bf16 *__restrict__ v, bf16 *__restrict__ o, int queries,
                                 int keys) {
  using scores = ct::tile<float, ct::shape<M, N>>;
  using column = ct::tile<float, ct::shape<M, 1>>;
  using values = ct::tile<float, ct::shape<M, width>>;

  const int block = sample::block_of_queries<IsCausal>();
  const int batch = ct::bid().z, head = batch * ct::num_blocks().y + ct::bid().y;
  auto k_nope_tiles = sample::matrix_tiles<N, nope>(k_nope, head, keys);
  auto k_rope_tiles = sample::matrix_tiles<N, rope>(k_rope, batch, keys);
  auto v_tiles = sample::matrix_tiles<N, width>(v, head, keys);
  auto query_nope = sample::matrix_tiles<M, nope>(q_nope, head, queries).load_masked(block, 0);
  auto query_rope = sample::matrix_tiles<M, rope>(q_rope, head, queries).load_masked(block, 0);

  const float scale = sample::log2_e * ct::rsqrt(float(nope + rope));
  auto seen = sample::seen_by_rows<M, IsCausal>(block, queries, keys);
  auto key = ct::iota<ct::tile<int, ct::shape<1, N>>>();

  // Finite, so that exp2(-infinity - largest) is 0 in a row that has seen no key yet.
  auto largest = ct::full<column>(-1e30f), weight = ct::zeros<column>();
  auto sum = ct::zeros<values>();
  auto attend = [&](int i, auto is_masked) {
    auto s =
        ct::mma(query_nope, ct::transpose(k_nope_tiles.load_masked(i, 0)), ct::zeros<scores>());
    s = ct::mma(query_rope, ct::transpose(k_rope_tiles.load_masked(i, 0)), s);
    if constexpr (is_masked)
      s = ct::select(key + i * N < seen, s, ct::full<scores>(-INFINITY));
    auto now = ct::max(largest, ct::reduce_max<1>(s) * scale);
    auto p = ct::exp2(s * scale - now);
    auto fade = ct::exp2(largest - now);
    weight = weight * fade + ct::sum<1>(p);
    sum = ct::mma(ct::element_cast<bf16>(p), v_tiles.load_masked(i, 0), sum * fade);
    largest = now;
  };
  // Each row sees each key of the first tiles; only the tiles behind them need a mask.
  const int whole = sample::keys_seen<IsCausal>(block * M, queries, keys) / N;
  const int end = ct::ceildiv(sample::keys_seen<IsCausal>(block * M + M - 1, queries, keys), N);
  for (auto i : ct::irange(0, whole))
    attend(i, std::false_type{});
  for (auto i : ct::irange(whole, end))
    attend(i, std::true_type{});

  auto result = ct::select(weight > 0.0f, sum * (1.0f / weight), ct::zeros<values>());
  sample::matrix_tiles<M, width>(o, head, queries)
      .store_masked(ct::element_cast<bf16>(result), block, 0);
}

int main(int argc, char **argv) {
  const bool is_full = argc > 1 && std::strcmp(argv[argc - 1], "full") == 0;
  if (is_full || (argc > 1 && std::strcmp(argv[argc - 1], "causal") == 0))
    --argc;
  const std::size_t batch = sample::size_argument(argc, argv, 1, 1);
  const std::size_t heads = sample::size_argument(argc, argv, 2, 2);
  const std::size_t queries = sample::size_argument(argc, argv, 3, 256);
  const std::size_t keys = sample::size_argument(argc, argv, 4, queries);
  const std::size_t rows = batch * heads * queries, head_keys = batch * heads * keys;

  const auto q_nope = sample::random_vector<bf16>(rows * nope, 1),
             q_rope = sample::random_vector<bf16>(rows * rope, 2),
             k_nope = sample::random_vector<bf16>(head_keys * nope, 3),
             k_rope = sample::random_vector<bf16>(batch * keys * rope, 4),
             v = sample::random_vector<bf16>(head_keys * width, 5);
  sample::device_array<bf16> device_q_nope(q_nope), device_q_rope(q_rope), device_k_nope(k_nope),
      device_k_rope(k_rope), device_v(v), device_o(rows * width);
  constexpr int m = 128, n = 64;
  const dim3 grid(sample::blocks_of(queries, m), heads, batch);
  auto kernel = is_full ? mla_prefill<m, n, false> : mla_prefill<m, n, true>;
  const double time = sample::median_microseconds([&] {
    kernel<<<grid, 1>>>(device_q_nope.get(), device_q_rope.get(), device_k_nope.get(),
                        device_k_rope.get(), device_v.get(), device_o.get(), queries, keys);
  });

  auto seen = [&](std::size_t query) -> std::size_t {
    return (is_full ? sample::keys_seen<false> : sample::keys_seen<true>)(query, queries, keys);
  };
  const auto o = device_o.to_host();
  std::vector<double> p(keys);
  sample::for_some_rows(rows, keys * (nope + rope + width), [&](std::size_t row) {
    const std::size_t head = row / queries, key = head * keys, rope_key = head / heads * keys;
    const std::size_t size = seen(row % queries);
    for (std::size_t j = 0; j < size; ++j)
      p[j] = (sample::dot(&q_nope[row * nope], &k_nope[(key + j) * nope], nope) +
              sample::dot(&q_rope[row * rope], &k_rope[(rope_key + j) * rope], rope)) /
             std::sqrt(double(nope + rope));
    sample::softmax(p.data(), size);
    for (std::size_t i = 0; i < width; ++i) {
      double wanted = 0;
      for (std::size_t j = 0; j < size; ++j)
        wanted += p[j] * double(float(v[(key + j) * width + i]));
      sample::expect_near(float(o[row * width + i]), wanted, 1e-2, 6e-3 / std::sqrt(size + 1.0),
                          row, i);
    }
  });

  double products = 0;
  for (std::size_t query = 0; query < queries; ++query)
    products += double(batch * heads) * seen(query) * (nope + rope + width);
  std::printf("mla_prefill %zux%zux%zux%zu %s: %.1f us, %.3f TFLOP/s\n", batch, heads, queries,
              keys, is_full ? "full" : "causal", time,
              sample::giga_per_second(2 * products, time) * 1e-3);
}
