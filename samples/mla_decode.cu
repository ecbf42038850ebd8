// mla_decode: multi-head latent attention of one query per sequence, bf16 in memory, f32 inside.
// All heads read one latent per key: 512 elements without position, which are the value as well,
// and 64 with rotary position. The queries are already multiplied into the space of the latents. A
// block reads each latent once for up to 64 heads. The keys of a sequence are split into parts for
// blocks of their own, so that few sequences also fill the GPU; a second kernel combines the parts.
//
//   mla_decode [BATCH HEADS KEYS PARTS]      up to KEYS keys per sequence
#include "attention.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

constexpr int latent = 512, rope = 64, depth = latent + rope;
constexpr int head_depth = 192; // of the queries and keys that the latents stand for

/// q: [batch, heads, 576]. kv: [batch, keys, 576], of which a sequence has lengths[batch] keys.
/// partial: [batch, heads, parts, 512], the result for the keys of a part. lse: [batch, heads,
/// parts], the base-2 logarithm of the sum of exponentials of its scores, -infinity without keys.
/// M: heads of a block. N: keys of an iteration. Grid: parts, blocks of heads, batch.
template <int M, int N>
__tile_global__ void mla_decode(const bf16 *__restrict__ q, const bf16 *__restrict__ kv,
                                const int *__restrict__ lengths, float *__restrict__ partial,
                                float *__restrict__ lse, int heads, int keys) {
  using scores = ct::tile<float, ct::shape<M, N>>;
  using column = ct::tile<float, ct::shape<M, 1>>;
  using values = ct::tile<float, ct::shape<M, latent>>;

  const int part = ct::bid().x, block = ct::bid().y, sequence = ct::bid().z;
  const int parts = ct::num_blocks().x, length = lengths[sequence];
  auto rows = [](const bf16 *p, size_t first, int count) {
    return ct::tensor_span{ct::assume_aligned<16>(p) + first * depth,
                           ct::extents{count, ct::integral_constant<depth>{}}};
  };
  auto q_rows = rows(q, size_t(sequence) * heads, heads);
  auto kv_rows = rows(kv, size_t(sequence) * keys, length);
  // In tiles of 64 columns the rope part is column 8.
  auto query = ct::partition_view{q_rows, ct::shape<M, latent>{}}.load_masked(block, 0);
  auto query_rope = ct::partition_view{q_rows, ct::shape<M, rope>{}}.load_masked(block, 8);
  auto latent_tiles = ct::partition_view{kv_rows, ct::shape<N, latent>{}};
  auto rope_tiles = ct::partition_view{kv_rows, ct::shape<N, rope>{}};

  const float scale = sample::log2_e * ct::rsqrt(float(head_depth));
  auto key = ct::iota<ct::tile<int, ct::shape<1, N>>>();

  // Finite, so that exp2(-infinity - largest) is 0 where a part has no keys.
  auto largest = ct::full<column>(-1e30f), weight = ct::zeros<column>();
  auto sum = ct::zeros<values>();
  auto attend = [&](int i, auto is_masked) {
    auto keys_and_values = latent_tiles.load_masked(i, 0);
    auto s = ct::mma(query, ct::transpose(keys_and_values), ct::zeros<scores>());
    s = ct::mma(query_rope, ct::transpose(rope_tiles.load_masked(i, 8)), s);
    if constexpr (is_masked)
      s = ct::select(key + i * N < length, s, ct::full<scores>(-INFINITY));
    auto now = ct::max(largest, ct::reduce_max<1>(s) * scale);
    auto p = ct::exp2(s * scale - now);
    auto fade = ct::exp2(largest - now);
    weight = weight * fade + ct::sum<1>(p);
    sum = ct::mma(ct::element_cast<bf16>(p), keys_and_values, sum * fade);
    largest = now;
  };
  // Only the last tile of a sequence needs the mask.
  const int whole = length / N, tiles = ct::ceildiv(length, N), each = ct::ceildiv(tiles, parts);
  const int begin = part * each, end = begin + each;
  for (auto i : ct::irange(begin, ct::min(end, whole)))
    attend(i, std::false_type{});
  for (auto i : ct::irange(ct::max(begin, whole), ct::min(end, tiles)))
    attend(i, std::true_type{});

  auto head = ct::iota<ct::tile<int, ct::shape<M, 1>>>() + block * M;
  auto place = (sequence * heads + head) * parts + part;
  auto result = ct::select(weight > 0.0f, sum * (1.0f / weight), ct::zeros<values>());
  ct::store_masked(lse + place, largest + ct::log2(weight), head < heads);
  auto partial_rows = ct::partition_view{
      ct::tensor_span{ct::assume_aligned<16>(partial) + size_t(sequence) * heads * parts * latent,
                      ct::extents{heads, parts, ct::integral_constant<latent>{}}},
      ct::shape<M, 1, latent>{}};
  partial_rows.store_masked(ct::reshape(result, ct::shape<M, 1, latent>{}), block, part, 0);
}

/// o: [rows, 512] of [batch, heads]; partial and lse as above. Grid: rows.
__tile_global__ void combine(const float *__restrict__ partial, const float *__restrict__ lse,
                             bf16 *__restrict__ o, int parts) {
  using values = ct::tile<float, ct::shape<1, latent>>;
  const int row = ct::bid().x;
  auto partial_tiles = sample::matrix_tiles<1, latent>(partial, row, parts);
  float largest = -1e30f, weight = 0;
  auto sum = ct::zeros<values>();
  for (auto part : ct::irange(0, parts)) {
    const float logarithm = lse[size_t(row) * parts + part];
    const float now = ct::max(largest, logarithm);
    const float fade = ct::exp2(largest - now), part_weight = ct::exp2(logarithm - now);
    weight = weight * fade + part_weight;
    sum = sum * fade + partial_tiles.load(part, 0) * part_weight;
    largest = now;
  }
  sum = weight > 0 ? sum / weight : sum;
  sample::matrix_tiles<1, latent>(o, row, 1).store(ct::element_cast<bf16>(sum), 0, 0);
}

int main(int argc, char **argv) {
  const std::size_t batch = sample::size_argument(argc, argv, 1, 2);
  const std::size_t heads = sample::size_argument(argc, argv, 2, 16);
  const std::size_t keys = sample::size_argument(argc, argv, 3, 300);
  const std::size_t parts = sample::size_argument(argc, argv, 4, 2);
  const std::size_t rows = batch * heads;

  // The first sequence has the most keys, the others any number, also none.
  sample::random_numbers random(3);
  std::vector<int> lengths(batch, keys);
  for (std::size_t i = 1; i < batch; ++i)
    lengths[i] = random.below(keys + 1);
  const auto q = sample::random_vector<bf16>(rows * depth, 1),
             kv = sample::random_vector<bf16>(batch * keys * depth, 2);
  sample::device_array<bf16> device_q(q), device_kv(kv), device_o(rows * latent);
  sample::device_array<int> device_lengths(lengths);
  sample::device_array<float> partial(rows * parts * latent), lse(rows * parts);
  constexpr int m = 64, n = 64;
  const dim3 grid(parts, sample::blocks_of(heads, m), batch);
  const double time = sample::median_microseconds([&] {
    mla_decode<m, n><<<grid, 1>>>(device_q.get(), device_kv.get(), device_lengths.get(),
                                  partial.get(), lse.get(), heads, keys);
    combine<<<rows, 1>>>(partial.get(), lse.get(), device_o.get(), parts);
  });

  const auto o = device_o.to_host();
  std::vector<double> p(keys);
  sample::for_some_rows(rows, keys * (depth + latent), [&](std::size_t row) {
    const std::size_t sequence = row / heads, size = lengths[sequence];
    const bf16 *sequence_kv = &kv[sequence * keys * depth];
    for (std::size_t j = 0; j < size; ++j)
      p[j] = sample::dot(&q[row * depth], &sequence_kv[j * depth], depth) /
             std::sqrt(double(head_depth));
    sample::softmax(p.data(), size);
    for (std::size_t i = 0; i < latent; ++i) {
      double wanted = 0;
      for (std::size_t j = 0; j < size; ++j)
        wanted += p[j] * double(float(sequence_kv[j * depth + i]));
      sample::expect_near(float(o[row * latent + i]), wanted, 1e-2, 1e-2 / std::sqrt(size + 1.0),
                          row, i);
    }
  });

  double bytes = 2.0 * rows * (depth + latent);
  for (int length : lengths)
    bytes += 2.0 * length * depth;
  std::printf("mla_decode %zux%zux%zu in %zu parts: %.1f us, %.1f GB/s\n", batch, heads, keys,
              parts, time, sample::giga_per_second(bytes, time));
}
