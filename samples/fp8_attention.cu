// fp8_attention: o = softmax(q k^T / sqrt(128)) v for each head, with e4m3 queries, keys and values
// and a float scale of each for every head. Sums are f32, o is bf16. The weights of keys are e4m3,
// too, so that both products use fp8 tensor cores.
//
//   fp8_attention [HEADS LENGTH] [full|causal]      causal: a query sees the keys up to its own
#include "sample.h"

#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_tile.h>

#include <cstring>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;
using fp8 = __nv_fp8_e4m3;

constexpr int depth = 128;
constexpr ct::round_subnormals_to_zero_t flushed{};

/// A block has Queries rows of the head bid.y. Keys: of a tile. q, k, v, o: [heads, length, depth].
/// q_scales, k_scales, v_scales: [heads], positive; an element stands for its product with the
/// scale.
///
/// Weights that are subnormal count as 0: exp2 is one instruction then.
template <int Queries, int Keys, bool IsCausal> __tile_global__ void
fp8_attention(const fp8 *__restrict__ q, const fp8 *__restrict__ k, const fp8 *__restrict__ v,
              const float *__restrict__ q_scales, const float *__restrict__ k_scales,
              const float *__restrict__ v_scales, bf16 *__restrict__ o, unsigned length) {
  q = ct::assume_aligned<16>(q);
  k = ct::assume_aligned<16>(k);
  v = ct::assume_aligned<16>(v);
  o = ct::assume_aligned<16>(o);
  const unsigned head = ct::bid().y;
  // Blocks of late queries have the most keys: they start first.
  const int block = IsCausal ? ct::num_blocks().x - 1 - ct::bid().x : ct::bid().x;
  auto tiles = [&](auto *all, auto shape) {
    auto extents = ct::extents{length, ct::integral_constant<depth>{}};
    return ct::partition_view{ct::tensor_span{all + std::size_t{head} * length * depth, extents},
                              shape};
  };
  auto queries = tiles(q, ct::shape<Queries, depth>{});
  auto keys = tiles(k, ct::shape<Keys, depth>{}), values = tiles(v, ct::shape<Keys, depth>{});
  auto results = tiles(o, ct::shape<Queries, depth>{});

  using scores_tile = ct::tile<float, ct::shape<Queries, Keys>>;
  using column = ct::tile<float, ct::shape<Queries, 1>>;
  auto query = queries.load_masked(block, 0);
  auto row = ct::iota<ct::tile<int, ct::shape<Queries, 1>>>() + block * Queries;
  auto key = ct::iota<ct::tile<int, ct::shape<1, Keys>>>();
  // log2(e) / sqrt(depth): exp(x) = exp2(log2(e) x).
  const float scale = q_scales[head] * k_scales[head] * 1.44269504f * ct::rsqrt(float(depth));
  auto largest = ct::full<column>(-INFINITY), weight = ct::zeros<column>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<Queries, depth>>>();
  auto attend = [&](int i, auto is_masked) {
    auto scores = ct::mma(query, ct::transpose(keys.load_masked(i, 0)), ct::zeros<scores_tile>());
    if constexpr (is_masked) {
      auto at = key + i * Keys;
      auto none = ct::full<scores_tile>(-INFINITY);
      if constexpr (IsCausal) // what is beyond the length, too, for all rows that are stored
        scores = ct::select(at <= row, scores, none);
      else
        scores = ct::select(at < int(length), scores, none);
    }
    auto now = ct::max(largest, ct::reduce_max<1>(scores) * scale);
    // Weights are scaled by 2^8, as e4m3 ends at 448: so small ones keep their 3 bits down to 2^-14
    // of the largest. The sum of weights has the same scale.
    auto p = ct::exp2(scores * scale - (now - 8.0f), flushed);
    auto fade = ct::exp2(largest - now, flushed);
    weight = weight * fade + ct::sum<1>(p);
    sum = ct::mma(ct::element_cast<fp8>(p), values.load_masked(i, 0), sum * fade);
    largest = now;
  };

  const int end = IsCausal ? ct::min((block + 1) * Queries, int(length)) : length;
  // Only tiles across the diagonal or the length have keys that do not count.
  const int unmasked = (IsCausal ? ct::min(block * Queries + 1, end) : end) / Keys;
  for (auto i : ct::irange(0, unmasked))
    attend(i, std::false_type{});
  for (auto i : ct::irange(unmasked, ct::ceildiv(end, Keys)))
    attend(i, std::true_type{});
  results.store_masked(ct::element_cast<bf16>(sum * (v_scales[head] / weight)), block, 0);
}

/// Device arrays; see the kernel.
struct arrays {
  const fp8 *q, *k, *v;
  const float *q_scales, *k_scales, *v_scales;
  bf16 *o;
};

void launch_fp8_attention(const arrays &a, unsigned heads, unsigned length, bool is_causal) {
  constexpr unsigned queries = 128, keys = 128;
  const dim3 grid((length - 1) / queries + 1, heads);
  if (is_causal)
    fp8_attention<queries, keys, true>
        <<<grid, 1>>>(a.q, a.k, a.v, a.q_scales, a.k_scales, a.v_scales, a.o, length);
  else
    fp8_attention<queries, keys, false>
        <<<grid, 1>>>(a.q, a.k, a.v, a.q_scales, a.k_scales, a.v_scales, a.o, length);
}

/// The arrays on the host.
struct host_arrays {
  std::vector<fp8> q, k, v;
  std::vector<float> q_scales, k_scales, v_scales;
  std::vector<bf16> o;
};

/// Checks one row of o against a reference in double.
///
/// e4m3 has 3 bits behind the leading one, so a weight w has an error of at most w / 16, and no
/// result is off by more than the sum of |w v| / 16. Errors are independent, with a standard
/// deviation below w / 24, so a result of many keys is off by less than 4 / 16 of the root of the
/// sum of (w v)^2, six standard deviations. bf16 adds 2^-9 of the result. Scores add less: fp8
/// tensor cores keep 13 bits of a sum.
void check_row(const host_arrays &a, unsigned length, bool is_causal, std::size_t head,
               std::size_t row) {
  auto at = [&](const std::vector<fp8> &x, std::size_t row, int i) {
    return double(float(x[(head * length + row) * depth + i]));
  };
  const double scale = double(a.q_scales[head]) * a.k_scales[head] / std::sqrt(double(depth));
  std::vector<double> sum(depth), most(depth), squares(depth);
  double total = 0;
  for (std::size_t key = 0; key < (is_causal ? row + 1 : length); ++key) {
    double score = 0;
    for (int i = 0; i < depth; ++i)
      score += at(a.q, row, i) * at(a.k, key, i);
    // Scores are small enough here for exp without subtracting their maximum.
    const double weight = std::exp(score * scale);
    total += weight;
    for (int i = 0; i < depth; ++i) {
      const double part = weight * at(a.v, key, i);
      sum[i] += part;
      most[i] += std::abs(part);
      squares[i] += part * part;
    }
  }
  for (int i = 0; i < depth; ++i) {
    const double error = std::min(most[i] / 16, 4.0 / 16 * std::sqrt(squares[i]));
    const double to_result = a.v_scales[head] / total;
    sample::expect_near(float(a.o[(head * length + row) * depth + i]), sum[i] * to_result, 5e-3,
                        error * to_result, head * length + row, i);
  }
}

int main(int argc, char **argv) {
  const bool is_causal = argc > 1 && std::strcmp(argv[argc - 1], "causal") == 0;
  if (is_causal || (argc > 1 && std::strcmp(argv[argc - 1], "full") == 0))
    --argc;
  const unsigned heads = sample::size_argument(argc, argv, 1, 2);
  const unsigned length = sample::size_argument(argc, argv, 2, 500);
  const std::size_t rows = std::size_t{heads} * length, size = rows * depth;
  auto scales = [&](unsigned seed) {
    auto result = sample::random_vector<float>(heads, seed);
    for (float &scale : result)
      scale = 2 + scale;
    return result;
  };
  host_arrays host{sample::random_vector<fp8>(size, 1),
                   sample::random_vector<fp8>(size, 2),
                   sample::random_vector<fp8>(size, 3),
                   scales(4),
                   scales(5),
                   scales(6),
                   {}};
  sample::device_array<fp8> q(host.q), k(host.k), v(host.v);
  sample::device_array<float> q_scales(host.q_scales), k_scales(host.k_scales),
      v_scales(host.v_scales);
  sample::device_array<bf16> o(size);
  const arrays a{q.get(),        k.get(),        v.get(), q_scales.get(),
                 k_scales.get(), v_scales.get(), o.get()};
  const double time =
      sample::median_microseconds([&] { launch_fp8_attention(a, heads, length, is_causal); });

  // All rows, or some 256 of more.
  host.o = o.to_host();
  for (std::size_t row = 0; row < rows; row += rows / 256 | 1)
    check_row(host, length, is_causal, row / length, row % length);
  const double pairs = double(length) * (is_causal ? (length + 1) / 2.0 : length);
  std::printf("fp8_attention of %u heads, length %u, %s: %.1f us, %.3f TFLOP/s\n", heads, length,
              is_causal ? "causal" : "full", time,
              sample::giga_per_second(4.0 * heads * pairs * depth, time) * 1e-3);
}
