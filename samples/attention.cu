// attention: O = softmax(Q K^T / sqrt(D)) V for batches of heads, bf16 with f32 accumulation. A
// block takes TileM queries of a head and walks over the keys with an online softmax: the largest
// score and the sum of a row so far, and its accumulator, which is rescaled when the largest score
// grows. Only iterations at the ends of the keys, at the diagonal or at the edge of the window
// compute a mask.
//
//   attention [BATCH HEADS KV_HEADS QUERIES KEYS] [OPTION...]
//
//   causal     a query sees the keys up to its own; the last query is the last key's
//   window=N   causal, and no more than N keys
//   cap=X      scores are X tanh(score / X)
//   sinks      each head has a score more in its sums, without a value
//   packed     sequences of different lengths behind one another; QUERIES, KEYS: the longest
//   d64        heads of 64 elements instead of 128
#include "sample.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

#include <cstring>
#include <string>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

/// Weights that are subnormal count as 0: exp2 is one instruction then.
constexpr ct::round_subnormals_to_zero_t flushed{};

template <class T, int M, int N> using tile = ct::tile<T, ct::shape<M, N>>;

constexpr float log2e = 1.44269504f;

/// The forms of the kernel.
template <bool IsCausal, bool HasCap, bool IsPacked> struct form {
  static constexpr bool is_causal = IsCausal, has_cap = HasCap, is_packed = IsPacked;
};

/// Views of [1, rows, 1, D] of the sequence.
template <int Rows, int D, bool IsPacked, class T>
__tile__ auto rows_of(T *p, int batch, int start, int length, int heads) {
  p = ct::assume_aligned<16>(p);
  if constexpr (IsPacked)
    p += static_cast<long long>(start) * heads * D;
  return ct::partition_view{
      ct::tensor_span{p, ct::extents{unsigned(IsPacked ? 1 : batch), unsigned(length),
                                     unsigned(heads), std::integral_constant<unsigned, D>{}}},
      ct::shape<1, Rows, 1, D>{}};
}

/// Of a tile of queries: the softmax and the weighted values of the keys seen so far. Scores are
/// base-2 logarithms.
template <int M, int D> struct online_softmax {
  tile<float, M, 1> largest, sum;
  tile<float, M, D> values;

  /// A query that has seen no key has a score that is smaller than all, but finite.
  __tile__ online_softmax(float first, float weight)
      : largest(ct::full<tile<float, M, 1>>(first)), sum(ct::full<tile<float, M, 1>>(weight)),
        values(ct::zeros<tile<float, M, D>>()) {}

  /// scale: of the scores, with log2(e).
  template <class Scores, class Values>
  __tile__ void add(const Scores &scores, float scale, const Values &v) {
    auto now = ct::max(largest, ct::reduce_max<1>(scores) * scale);
    auto p = ct::exp2(scores * scale - now, flushed);
    auto rescale = ct::exp2(largest - now, flushed);
    sum = sum * rescale + ct::sum<1>(p);
    values = ct::mma(ct::element_cast<bf16>(p), v, values * rescale);
    largest = now;
  }
};

/// q and o are [batch, queries, heads, D], k and v [batch, keys, kv_heads, D]; sinks: [heads], null
/// where heads have none. Packed: [tokens, heads, D], where sequence b has the queries from
/// query_starts[b] to query_starts[b + 1], and its keys likewise; `queries` is the longest.
template <int TileM, int TileN, int D, class Form>
__tile_global__ void attention(const bf16 *__restrict__ q_data, const bf16 *__restrict__ k_data,
                               const bf16 *__restrict__ v_data, bf16 *__restrict__ o_data,
                               const float *__restrict__ sinks,
                               const int *__restrict__ query_starts,
                               const int *__restrict__ key_starts, int batch, int heads,
                               int kv_heads, int queries, int keys, int window, float cap) {
  constexpr bool is_causal = Form::is_causal;
  const int block = ct::bid().x, head = ct::bid().y, sequence = ct::bid().z;
  const int kv_head = head / (heads / kv_heads);
  int query_start = 0, key_start = 0;
  if constexpr (Form::is_packed) {
    query_start = query_starts[sequence], key_start = key_starts[sequence];
    queries = query_starts[sequence + 1] - query_start;
    keys = key_starts[sequence + 1] - key_start;
    if (block * TileM >= queries)
      return;
  }
  const int entry = Form::is_packed ? 0 : sequence;
  auto q = rows_of<TileM, D, Form::is_packed>(q_data, batch, query_start, queries, heads);
  auto o = rows_of<TileM, D, Form::is_packed>(o_data, batch, query_start, queries, heads);
  auto k = rows_of<TileN, D, Form::is_packed>(k_data, batch, key_start, keys, kv_heads);
  auto v = rows_of<TileN, D, Form::is_packed>(v_data, batch, key_start, keys, kv_heads);

  // Query i sees the keys up to i + shift.
  const int shift = keys - queries, first_row = block * TileM;
  const int end = is_causal ? ct::min(keys, first_row + TileM + shift) : keys;
  const int begin = is_causal ? ct::max(first_row + shift - window + 1, 0) : 0;
  const int first = begin / TileN, last = ct::max((end + TileN - 1) / TileN, first);
  // Keys that every query of the block sees, in whole tiles.
  const int whole_end = is_causal ? ct::min(keys, ct::max(first_row + shift + 1, 0)) : keys;
  const int whole_begin = is_causal ? ct::max(first_row + TileM + shift - window, 0) : 0;
  const int inner = ct::min((whole_begin + TileN - 1) / TileN, last);
  const int inner_end = ct::max(whole_end / TileN, inner);

  const float scale = (Form::has_cap ? 1.0f / cap : log2e) / ct::sqrt(float(D));
  auto queries_tile = ct::reshape(q.load_masked(entry, block, head, 0), ct::shape<TileM, D>{});
  online_softmax<TileM, D> state(sinks ? sinks[head] * log2e : -1e30f, sinks ? 1.0f : 0.0f);
  auto step = [&](int i, auto is_masked) {
    auto k_tile = ct::reshape(k.load_masked(entry, i, kv_head, 0), ct::shape<TileN, D>{});
    auto v_tile = ct::reshape(v.load_masked(entry, i, kv_head, 0), ct::shape<TileN, D>{});
    auto scores =
        ct::mma(queries_tile, ct::transpose(k_tile), ct::zeros<tile<float, TileM, TileN>>());
    float log2_scale = scale;
    if constexpr (Form::has_cap) {
      scores = ct::tanh(scores * scale, ct::round_approximate_t{});
      log2_scale = cap * log2e;
    }
    if constexpr (decltype(is_masked)::value) {
      auto row = ct::iota<tile<int, TileM, 1>>() + (first_row + shift);
      auto key = ct::iota<tile<int, 1, TileN>>() + i * TileN;
      auto is_seen = ct::broadcast(key < keys, ct::shape<TileM, TileN>{});
      if constexpr (is_causal)
        is_seen = is_seen && key <= row && key > row - window;
      scores = ct::select(is_seen, scores, ct::full<tile<float, TileM, TileN>>(-INFINITY));
    }
    state.add(scores, log2_scale, v_tile);
  };
  if constexpr (is_causal) // at the edge of the window
    for (int i = first; i < inner; ++i)
      step(i, std::true_type{});
  for (int i = is_causal ? inner : first; i < inner_end; ++i)
    step(i, std::false_type{});
  for (int i = inner_end; i < last; ++i)
    step(i, std::true_type{});

  // A query that sees no key has no values. One division per row: those of all elements would take
  // as long as an iteration.
  auto result = state.values * (1.0f / ct::max(state.sum, 1e-30f));
  o.store_masked(ct::reshape(ct::element_cast<bf16>(result), ct::shape<1, TileM, 1, D>{}), entry,
                 block, head, 0);
}

/// What the command line asks for.
struct problem {
  unsigned batch = 2, heads = 4, kv_heads = 2, queries = 128, keys = 128, depth = 128;
  unsigned window = 0x3fffffff; // of a causal problem
  double cap = 0;
  bool is_causal = false, has_sinks = false, is_packed = false;
  std::vector<int> query_starts, key_starts; // of sequences, and the end of the last one

  int queries_of(unsigned b) const { return query_starts[b + 1] - query_starts[b]; }
  int keys_of(unsigned b) const { return key_starts[b + 1] - key_starts[b]; }

  /// The keys from first to last that query i of sequence b sees.
  std::pair<int, int> seen(unsigned b, int i) const {
    if (!is_causal)
      return {0, keys_of(b)};
    const int last = i + keys_of(b) - queries_of(b) + 1;
    return {std::max(last - int(window), 0), std::max(last, 0)};
  }
};

struct arrays {
  std::vector<bf16> q, k, v;
  std::vector<float> sinks;
};

/// Calls use(form) with the form of the problem.
template <bool IsCausal, class Use> void with_form(const problem &of, Use use) {
  if (of.is_packed)
    use(form<IsCausal, false, true>());
  else if (of.cap != 0)
    use(form<IsCausal, true, false>());
  else
    use(form<IsCausal, false, false>());
}
template <class Use> void with_form(const problem &of, Use use) {
  of.is_causal ? with_form<true>(of, use) : with_form<false>(of, use);
}

/// One row of the result in doubles.
std::vector<double> wanted_row(const problem &of, const arrays &in, unsigned b, unsigned head,
                               int i) {
  const unsigned depth = of.depth, kv_head = head / (of.heads / of.kv_heads);
  const bf16 *q = &in.q[((of.query_starts[b] + i) * std::size_t{of.heads} + head) * depth];
  auto key = [&](int j) {
    return ((of.key_starts[b] + j) * std::size_t{of.kv_heads} + kv_head) * depth;
  };
  const auto [first, last] = of.seen(b, i);
  std::vector<double> scores, result(depth);
  double largest = of.has_sinks ? in.sinks[head] : -INFINITY, sum = 0;
  for (int j = first; j < last; ++j) {
    double score = 0;
    for (unsigned d = 0; d < depth; ++d)
      score += double(float(q[d])) * float(in.k[key(j) + d]);
    score /= std::sqrt(double(depth));
    scores.push_back(of.cap ? of.cap * std::tanh(score / of.cap) : score);
    largest = std::max(largest, scores.back());
  }
  if (of.has_sinks)
    sum = std::exp(in.sinks[head] - largest);
  for (int j = first; j < last; ++j) {
    const double weight = std::exp(scores[j - first] - largest);
    sum += weight;
    for (unsigned d = 0; d < depth; ++d)
      result[d] += weight * float(in.v[key(j) + d]);
  }
  for (double &x : result)
    x = first < last ? x / sum : 0;
  return result;
}

/// All rows of small problems, else some of them.
void check(const problem &of, const arrays &in, const std::vector<bf16> &o) {
  constexpr std::size_t most = 1 << 14;
  const std::size_t rows = std::size_t(of.query_starts.back()) * of.heads,
                    products = rows * of.keys * of.depth;
  sample::random_numbers random(4);
  for (unsigned b = 0; b < of.batch; ++b)
    for (int i = 0; i < of.queries_of(b); ++i)
      for (unsigned head = 0; head < of.heads; ++head) {
        if (products > most * most && random.below(unsigned(products / most / most)) != 0)
          continue;
        const std::vector<double> wanted = wanted_row(of, in, b, head, i);
        const std::size_t row = (of.query_starts[b] + i) * std::size_t{of.heads} + head;
        for (unsigned d = 0; d < of.depth; ++d)
          sample::expect_near(float(o[row * of.depth + d]), wanted[d], 1e-2, 4e-3, row, d);
      }
}

template <int D> void run(const problem &of) {
  const std::size_t query_tokens = of.query_starts.back(), key_tokens = of.key_starts.back();
  const arrays in = {sample::random_vector<bf16>(query_tokens * of.heads * D, 1),
                     sample::random_vector<bf16>(key_tokens * of.kv_heads * D, 2),
                     sample::random_vector<bf16>(key_tokens * of.kv_heads * D, 3),
                     sample::random_vector<float>(of.heads, 5)};
  sample::device_array<bf16> q(in.q), k(in.k), v(in.v), o(in.q.size());
  sample::device_array<float> sinks(in.sinks);
  sample::device_array<int> query_starts(of.query_starts), key_starts(of.key_starts);
  double time = 0;
  with_form(of, [&](auto form) {
    // Heads of 64 elements compute more than they multiply: several small blocks on an SM overlap.
    constexpr int tile_m = D == 64 ? 64 : 128, tile_n = 128;
    const dim3 grid((of.queries + tile_m - 1) / tile_m, of.heads, of.batch);
    time = sample::median_microseconds([&] {
      attention<tile_m, tile_n, D, decltype(form)><<<grid, 1>>>(
          q.get(), k.get(), v.get(), o.get(), of.has_sinks ? sinks.get() : nullptr,
          query_starts.get(), key_starts.get(), int(of.batch), int(of.heads), int(of.kv_heads),
          int(of.queries), int(of.keys), int(of.window), float(of.cap));
    });
  });
  check(of, in, o.to_host());
  double pairs = 0;
  for (unsigned b = 0; b < of.batch; ++b)
    for (int i = 0; i < of.queries_of(b); ++i)
      pairs += of.seen(b, i).second - of.seen(b, i).first;
  std::printf("attention %u x %u (%u) x %u x %u, D %d: %.1f us, %.3f TFLOP/s\n", of.batch, of.heads,
              of.kv_heads, of.queries, of.keys, D, time,
              sample::giga_per_second(4.0 * D * of.heads * pairs, time) * 1e-3);
}

/// The lengths of the sequences: all equal or, packed, from 1 to the longest, which is the first's.
std::vector<int> starts_of(const problem &of, unsigned longest, unsigned seed) {
  sample::random_numbers random(seed);
  std::vector<int> starts = {0};
  for (unsigned b = 0; b < of.batch; ++b)
    starts.push_back(starts.back() + int(of.is_packed && b ? 1 + random.below(longest) : longest));
  return starts;
}

#ifndef KERNELS_ONLY // samples/python/attention.py launches them itself
int main(int argc, char **argv) {
  problem of;
  bool is_small = false;
  for (; argc > 1; --argc) {
    const std::string word = argv[argc - 1];
    if (word == "causal")
      of.is_causal = true;
    else if (word.rfind("window=", 0) == 0)
      of.is_causal = true, of.window = unsigned(std::atoi(word.c_str() + 7));
    else if (word.rfind("cap=", 0) == 0)
      of.cap = std::atof(word.c_str() + 4);
    else if (word == "sinks")
      of.has_sinks = true;
    else if (word == "packed")
      of.is_packed = true;
    else if (word == "d64")
      is_small = true;
    else
      break;
  }
  of.batch = sample::size_argument(argc, argv, 1, of.batch);
  of.heads = sample::size_argument(argc, argv, 2, of.heads);
  of.kv_heads = sample::size_argument(argc, argv, 3, argc > 2 ? of.heads : of.kv_heads);
  of.queries = sample::size_argument(argc, argv, 4, of.queries);
  of.keys = sample::size_argument(argc, argv, 5, of.queries);
  of.depth = is_small ? 64 : 128;
  if (of.heads % of.kv_heads != 0 || of.cap < 0 || of.window == 0 || (of.cap != 0 && of.is_packed))
    return std::fprintf(stderr, "error: HEADS is a multiple of KV_HEADS, windows and caps are "
                                "greater than 0, packed sequences have no cap\n"),
           1;
  of.query_starts = starts_of(of, of.queries, 6);
  of.key_starts = starts_of(of, of.keys, of.queries == of.keys ? 6 : 7);
  if (is_small)
    run<64>(of);
  else
    run<128>(of);
}
#endif
