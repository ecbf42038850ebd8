// What the samples of attention to a cache share: the problem, the number of parts that the keys of
// a sequence are split into, the loop over a part, the kernel that combines the parts, and the
// check.
#pragma once
#include "sample.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
using bf16 = __nv_bfloat16;

template <class T, int M, int N> using tile = ct::tile<T, ct::shape<M, N>>;

/// The tiles of keys of each of num_blocks().x parts; the last parts may have fewer.
template <int Keys> __tile__ int tiles_of_part(int length) {
  return ct::ceildiv(ct::ceildiv(length, Keys), int(ct::num_blocks().x));
}

/// Writes the result of one part of the keys for all queries of a group, divided by the sum of its
/// weights, and the base-2 logarithm of that sum. A block has the part bid.x of num_blocks().x, the
/// head of keys bid.y, the sequence bid.z.
///
/// Tiles are transposed: keys are the rows, so that they and not the few queries fill the 64 rows
/// of wgmma, which reads keys and values from shared memory as they are.
///
/// Queries: columns of a tile, of which a group fills the first. keys(i), values(i): the tile i of
/// Keys x Depth; rows from the length on are 0. length: the keys of the sequence. q: [sequences,
/// heads, Depth]. parts: [sequences, heads, splits, Depth]. logs: [sequences, heads, splits].
/// scale: of scores, times log2(e).
template <int Queries, int Keys, int Depth, class KeyTile, class ValueTile>
__tile__ void decode_part(KeyTile keys, ValueTile values, int length, const bf16 *q, float *parts,
                          float *logs, unsigned group, float scale) {
  const unsigned part = ct::bid().x, splits = ct::num_blocks().x;
  const std::size_t head = (std::size_t{ct::bid().z} * ct::num_blocks().y + ct::bid().y) * group;
  const auto depth = ct::integral_constant<Depth>{};
  auto queries = ct::partition_view{ct::tensor_span{q + head * Depth, ct::extents{group, depth}},
                                    ct::shape<Queries, Depth>{}};

  using row = tile<float, 1, Queries>;
  auto query = ct::transpose(queries.load_masked(0, 0));
  auto largest = ct::full<row>(-INFINITY);
  auto weights = ct::zeros<tile<float, Keys, Queries>>();
  auto sum = ct::zeros<tile<float, Depth, Queries>>();
  const int each = tiles_of_part<Keys>(length);
  const int begin = part * each, end = ct::min(begin + each, ct::ceildiv(length, Keys));
  for (auto i : ct::irange(begin, end)) {
    auto scores = ct::mma(keys(i), query, ct::zeros<tile<float, Keys, Queries>>());
    if ((i + 1) * Keys > length)
      scores = ct::select(ct::iota<tile<int, Keys, 1>>() + i * Keys < length, scores,
                          ct::full<decltype(scores)>(-INFINITY));
    auto now = ct::max(largest, ct::reduce_max<0>(scores) * scale);
    auto p = ct::exp2(scores * scale - now);
    auto fade = ct::exp2(largest - now);
    weights = weights * fade + p;
    sum = ct::mma(ct::transpose(values(i)), ct::element_cast<bf16>(p), sum * fade);
    largest = now;
  }

  // Warps share the keys of a tile: weights are summed over them once, not in each iteration.
  auto weight = ct::sum<0>(weights);
  // A part without keys has the weight 0 and no influence: its result is 0, not NaN.
  auto of_queries = [&](float *first, auto width) {
    auto mapping = ct::layout_strided_mapping{ct::extents{group, width},
                                              ct::strides{splits * unsigned(width), 1_ic}};
    return ct::partition_view{ct::tensor_span{first, mapping},
                              ct::shape<Queries, decltype(width)::value>{}};
  };
  of_queries(parts + (head * splits + part) * Depth, depth)
      .store_masked(ct::transpose(sum / ct::max(weight, 1e-30f)), 0, 0);
  of_queries(logs + (head * splits + part), 1_ic)
      .store_masked(ct::transpose(largest + ct::log2(weight)), 0, 0);
}

/// Adds up the parts of a query, each with its share of the sum of all weights. A block has the
/// query bid.x of sequences * heads. Part 0 always has keys.
template <int Depth> __tile_global__ void combine_parts(const float *__restrict__ parts,
                                                        const float *__restrict__ logs,
                                                        bf16 *__restrict__ out, unsigned splits) {
  constexpr int at_once = 16;
  parts = ct::assume_aligned<16>(parts);
  out = ct::assume_aligned<16>(out);
  const std::size_t query = ct::bid().x, first = query * splits;
  const auto depth = ct::integral_constant<Depth>{};
  auto part_tiles =
      ct::partition_view{ct::tensor_span{parts + first * Depth, ct::extents{splits, depth}},
                         ct::shape<at_once, Depth>{}};
  auto log_tiles = ct::partition_view{ct::tensor_span{logs + first, ct::extents{splits, 1_ic}},
                                      ct::shape<at_once, 1>{}};
  auto result = ct::partition_view{ct::tensor_span{out + query * Depth, ct::extents{1_ic, depth}},
                                   ct::shape<1, Depth>{}};

  auto largest = ct::full<tile<float, 1, 1>>(-INFINITY), weight = ct::zeros<tile<float, 1, 1>>();
  auto sum = ct::zeros<tile<float, 1, Depth>>();
  for (auto i : ct::irange(0, ct::ceildiv(int(splits), at_once))) {
    auto log = log_tiles.template load_masked<ct::view_padding::negative_inf>(i, 0);
    auto now = ct::max(largest, ct::reduce_max<0>(log));
    auto share = ct::exp2(log - now);
    auto fade = ct::exp2(largest - now);
    weight = weight * fade + ct::sum<0>(share);
    sum = sum * fade + ct::sum<0>(part_tiles.load_masked(i, 0) * share);
    largest = now;
  }
  result.store(ct::element_cast<bf16>(sum / weight), 0, 0);
}

/// Sizes of a problem; a head of keys serves a group of queries.
struct problem {
  unsigned sequences, kv_heads, group, capacity, depth;
  std::vector<int> lengths; // of sequences: 1 to capacity

  /// The problem of the command line: SEQUENCES KV_HEADS GROUP LENGTH DEPTH. Sequences have a half
  /// of LENGTH or more, the first one has all of it.
  problem(int argc, char **argv, unsigned most_queries)
      : sequences(sample::size_argument(argc, argv, 1, 3)),
        kv_heads(sample::size_argument(argc, argv, 2, 2)),
        group(sample::size_argument(argc, argv, 3, 4)),
        capacity(sample::size_argument(argc, argv, 4, 1000)),
        depth(sample::size_argument(argc, argv, 5, 128)) {
    if (group > most_queries || (depth != 64 && depth != 128)) {
      std::fprintf(stderr, "error: groups have 1 to %u queries, the depth is 64 or 128\n",
                   most_queries);
      std::exit(1);
    }
    sample::random_numbers random(4);
    for (unsigned i = 0; i < sequences; ++i)
      lengths.push_back(i == 0 ? capacity : capacity - random.below(capacity / 2 + 1));
  }

  std::size_t queries() const { return std::size_t{sequences} * kv_heads * group; }
  /// Elements of the keys of one token.
  std::size_t token_size() const { return std::size_t{kv_heads} * depth; }
  /// Bytes of the keys and the values of all sequences.
  double cache_bytes() const {
    double keys = 0;
    for (int length : lengths)
      keys += length;
    return 2 * keys * token_size() * sizeof(bf16);
  }
};

/// Tiles of keys have 16 KB.
constexpr unsigned tile_keys(unsigned depth) { return 8192 / depth; }

/// As many parts as fill the card with two blocks on an SM, but none of less than a tile of keys.
inline unsigned parts_that_fill(const problem &p) {
  const unsigned tiles = (p.capacity - 1) / tile_keys(p.depth) + 1;
  return std::clamp(2 * sample::multiprocessors() / (p.sequences * p.kv_heads), 1u, tiles);
}

/// Checks one query's result against a reference in double. token(sequence, key) is where the cache
/// has a key. The weights of keys are rounded to bf16, which averages out over many keys.
template <class Token> void check_query(const problem &p, const std::vector<bf16> &q,
                                        const std::vector<bf16> &k, const std::vector<bf16> &v,
                                        const std::vector<bf16> &out, std::size_t query,
                                        Token token) {
  const std::size_t head = query / p.group, sequence = head / p.kv_heads;
  const int length = p.lengths[sequence];
  auto row = [&](int key) {
    return (token(sequence, key) * p.kv_heads + head % p.kv_heads) * p.depth;
  };
  std::vector<double> sum(p.depth);
  const double scale = 1 / std::sqrt(double(p.depth));
  double total = 0;
  for (int key = 0; key < length; ++key) {
    double score = 0;
    for (unsigned i = 0; i < p.depth; ++i)
      score += double(float(q[query * p.depth + i])) * float(k[row(key) + i]);
    // Scores of numbers below 1 are small enough for exp without subtracting their maximum.
    const double weight = std::exp(score * scale);
    total += weight;
    for (unsigned i = 0; i < p.depth; ++i)
      sum[i] += weight * float(v[row(key) + i]);
  }
  for (unsigned i = 0; i < p.depth; ++i)
    sample::expect_near(float(out[query * p.depth + i]), sum[i] / total, 1e-2,
                        1e-2 / std::sqrt(double(length)), query, i);
}

/// Checks all queries, or some 256 of more.
template <class Token> void check(const problem &p, const std::vector<bf16> &q,
                                  const std::vector<bf16> &k, const std::vector<bf16> &v,
                                  const std::vector<bf16> &out, Token token) {
  for (std::size_t query = 0; query < p.queries(); query += p.queries() / 256 | 1)
    check_query(p, q, k, v, out, query, token);
}

inline void report(const char *name, const problem &p, unsigned splits, double time) {
  std::printf("%s of %u sequences with up to %u keys in %u parts, %u heads of %u for %u queries "
              "each: %.1f us, %.1f GB/s\n",
              name, p.sequences, p.capacity, splits, p.kv_heads, p.depth, p.group, time,
              sample::giga_per_second(p.cache_bytes(), time));
}
