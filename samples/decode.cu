// decode: attention of one new query per sequence to the keys and values in its cache, for grouped
// queries (GQA), bf16 with f32 accumulation. Few sequences give few blocks, so the keys of a
// sequence are split into parts (split-KV, flash decoding). A block computes the result of one part
// for all queries that share a head of keys, and the part's log-sum-exp. A second kernel combines
// the parts.
//
//   decode [SEQUENCES KV_HEADS GROUP LENGTH DEPTH PARTS]
//     GROUP is 1 to 16 queries, DEPTH is 64 or 128; sequences have up to LENGTH keys. Without PARTS
//     there are as many as fill the card.
#include "decode.h"

/// Queries: 8 or 16. Keys: of a tile. k, v: [sequences, capacity, kv_heads, Depth], of which the
/// first lengths[sequence] keys count. decode_part has the rest.
template <int Queries, int Keys, int Depth> __tile_global__ void
decode_parts(const bf16 *__restrict__ q, const bf16 *__restrict__ k, const bf16 *__restrict__ v,
             const int *__restrict__ lengths, float *__restrict__ parts, float *__restrict__ logs,
             unsigned capacity, unsigned kv_heads, unsigned group, float scale) {
  q = ct::assume_aligned<16>(q);
  k = ct::assume_aligned<16>(k);
  v = ct::assume_aligned<16>(v);
  parts = ct::assume_aligned<16>(parts);
  const unsigned kv_head = ct::bid().y, sequence = ct::bid().z;
  const int length = lengths[sequence];
  auto tiles = [&](const bf16 *cache) {
    const std::size_t first = (std::size_t{sequence} * capacity * kv_heads + kv_head) * Depth;
    auto rows =
        ct::layout_strided_mapping{ct::extents{unsigned(length), ct::integral_constant<Depth>{}},
                                   ct::strides{kv_heads * Depth, 1_ic}};
    return ct::partition_view{ct::tensor_span{cache + first, rows}, ct::shape<Keys, Depth>{}};
  };
  auto keys = tiles(k), values = tiles(v);
  decode_part<Queries, Keys, Depth>([&](int i) { return keys.load_masked(i, 0); },
                                    [&](int i) { return values.load_masked(i, 0); }, length, q,
                                    parts, logs, group, scale);
}

/// Arrays on the device; see the kernels.
struct arrays {
  const bf16 *q, *k, *v;
  const int *lengths;
  float *parts, *logs;
  bf16 *out;
};

template <int Queries, int Depth>
void launch_decode(const problem &p, const arrays &a, unsigned splits) {
  const float scale = 1.44269504f / std::sqrt(float(Depth));
  decode_parts<Queries, tile_keys(Depth), Depth><<<dim3(splits, p.kv_heads, p.sequences), 1>>>(
      a.q, a.k, a.v, a.lengths, a.parts, a.logs, p.capacity, p.kv_heads, p.group, scale);
  combine_parts<Depth><<<p.queries(), 1>>>(a.parts, a.logs, a.out, splits);
}

void launch_decode(const problem &p, const arrays &a, unsigned splits) {
  if (p.depth == 64)
    p.group <= 8 ? launch_decode<8, 64>(p, a, splits) : launch_decode<16, 64>(p, a, splits);
  else
    p.group <= 8 ? launch_decode<8, 128>(p, a, splits) : launch_decode<16, 128>(p, a, splits);
}

int main(int argc, char **argv) {
  const problem p(argc, argv, 16);
  const unsigned splits = sample::size_argument(argc, argv, 6, parts_that_fill(p));
  const std::size_t row = p.token_size(), size = row * p.sequences * p.capacity;
  const auto q = sample::random_vector<bf16>(p.queries() * p.depth, 1);
  auto k = sample::random_vector<bf16>(size, 2), v = sample::random_vector<bf16>(size, 3);
  // What follows the last key of a sequence must not count.
  for (std::size_t i = 0; i < p.sequences; ++i)
    for (auto *cache : {&k, &v})
      std::fill(cache->begin() + (i * p.capacity + p.lengths[i]) * row,
                cache->begin() + (i + 1) * p.capacity * row, bf16(NAN));

  sample::device_array<bf16> device_q(q), device_k(k), device_v(v), device_out(q.size());
  sample::device_array<int> device_lengths(p.lengths);
  sample::device_array<float> parts(q.size() * splits), logs(p.queries() * splits);
  const arrays a{device_q.get(), device_k.get(), device_v.get(),  device_lengths.get(),
                 parts.get(),    logs.get(),     device_out.get()};
  const double time = sample::median_microseconds([&] { launch_decode(p, a, splits); });

  check(p, q, k, v, device_out.to_host(),
        [&](std::size_t sequence, int key) { return sequence * p.capacity + key; });
  report("decode", p, splits, time);
}
