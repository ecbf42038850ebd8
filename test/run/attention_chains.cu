// Attention of large tiles: its loops multiply in chains, a producer warp fills their rings, and
// the second multiply of an iteration is in flight beside the first one of the next. Without a mask
// and with one, in one loop and in two, of no, one and several iterations, with odd lengths, with a
// second result from the same chain, and with another query in the second loop. Where the launch
// does not know the keys' addresses, the kernel makes the tensor maps.
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

#include <type_traits>

namespace ct = cuda::tiles;

// Which scores there are, and of which query.
enum class form { full, causal, two_queries };

// softmax(q k^T) v of one head. Unmasked blocks of keys have a loop of their own. With two queries
// the other blocks of keys are asked for by those of the opposite block.
template <class T, int M, int N, int D, form Form> __tile__ void
attend(const T *q, const T *k, const T *v, T *out, float *sums, unsigned rows, unsigned keys) {
  q = ct::assume_aligned<16>(q), k = ct::assume_aligned<16>(k), v = ct::assume_aligned<16>(v);
  out = ct::assume_aligned<16>(out);
  auto shape = ct::extents{rows, ct::integral_constant<D>{}},
       key_shape = ct::extents{keys, ct::integral_constant<D>{}};
  auto qs = ct::partition_view{ct::tensor_span{q, shape}, ct::shape<M, D>{}};
  auto ks = ct::partition_view{ct::tensor_span{k, key_shape}, ct::shape<N, D>{}};
  auto vs = ct::partition_view{ct::tensor_span{v, key_shape}, ct::shape<N, D>{}};
  auto outs = ct::partition_view{ct::tensor_span{out, shape}, ct::shape<M, D>{}};
  auto all_sums = ct::partition_view{ct::tensor_span{sums, ct::extents{rows}}, ct::shape<M>{}};
  using column = ct::tile<float, ct::shape<M, 1>>;
  using scores = ct::tile<float, ct::shape<M, N>>;

  const int block = ct::bid().x, blocks = (int(keys) + N - 1) / N;
  auto query = qs.load_masked(block, 0);
  auto largest = ct::full<column>(-1e30f), weight = ct::zeros<column>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  int whole = int(keys) / N, end = blocks;
  if constexpr (Form == form::causal) {
    const int own = block * M / N, last = (block * M + M + N - 1) / N;
    whole = own < whole ? own : whole;
    end = last < end ? last : end;
  }
  for (auto i : ct::irange(0, whole)) {
    auto score = ct::mma(query, ct::transpose(ks.load_masked(i, 0)), ct::zeros<scores>()) * 0.125f;
    auto now = ct::max(largest, ct::reduce_max<1>(score));
    auto p = ct::exp2(score - now);
    auto fade = ct::exp2(largest - now);
    weight = weight * fade + ct::sum<1>(p);
    sum = ct::mma(ct::element_cast<T>(p), vs.load_masked(i, 0), sum * fade);
    largest = now;
  }
  auto row = ct::reshape(ct::iota<ct::tile<int, ct::shape<M>>>() + block * M, ct::shape<M, 1>{});
  auto late_query =
      Form == form::two_queries ? qs.load_masked(int(rows) / M - 1 - block, 0) : query;
  for (auto i : ct::irange(whole, end)) {
    auto score =
        ct::mma(late_query, ct::transpose(ks.load_masked(i, 0)), ct::zeros<scores>()) * 0.125f;
    auto key = ct::iota<ct::tile<int, ct::shape<1, N>>>() + i * N;
    auto is_seen = ct::broadcast<ct::shape<M, N>>(key < int(keys));
    if constexpr (Form == form::causal)
      is_seen = is_seen & (key <= row);
    score = ct::select(is_seen, score, ct::full<scores>(-1e30f));
    auto now = ct::max(largest, ct::reduce_max<1>(score));
    auto p = ct::exp2(score - now);
    auto fade = ct::exp2(largest - now);
    weight = weight * fade + ct::sum<1>(p);
    sum = ct::mma(ct::element_cast<T>(p), vs.load_masked(i, 0), sum * fade);
    largest = now;
  }
  outs.store_masked(ct::element_cast<T>(sum / weight), block, 0);
  all_sums.store_masked(ct::reshape(largest + ct::log2(weight), ct::shape<M>{}), block);
}

template <class T, int M, int N, int D, form Form>
__tile_global__ void attention(const T *__restrict__ q, const T *__restrict__ k,
                               const T *__restrict__ v, T *__restrict__ out,
                               float *__restrict__ sums, unsigned rows, unsigned keys) {
  attend<T, M, N, D, Form>(q, k, v, out, sums, rows, keys);
}

// Keys and values of one of several caches.
template <class T, int M, int N, int D, form Form>
__tile_global__ void attention_of_cache(const T *__restrict__ q, const T *const *__restrict__ k,
                                        const T *const *__restrict__ v, T *__restrict__ out,
                                        float *__restrict__ sums, unsigned rows, unsigned keys,
                                        int cache) {
  attend<T, M, N, D, Form>(q, k[cache], v[cache], out, sums, rows, keys);
}

template <class T, int M, int N, int D, form Form, bool IsOfCache = false>
void test(const char *name, unsigned rows, unsigned keys) {
  run::array<T> q(std::size_t(rows) * D, [](auto i) { return run::small(i + i / (M * D)); }),
      k(std::size_t(keys) * D, [](auto i) { return run::small(i + 3); }),
      v(std::size_t(keys) * D, [](auto i) { return run::small(i + 11); }),
      out(std::size_t(rows) * D);
  run::array<float> sums(rows);
  const unsigned blocks = (rows + M - 1) / M;
  if constexpr (IsOfCache) {
    const T *none = nullptr;
    run::array<const T *> all_k(2, [&](auto i) { return i == 1 ? k : none; }),
        all_v(2, [&](auto i) { return i == 1 ? v : none; });
    attention_of_cache<T, M, N, D, Form><<<blocks, 1>>>(q, all_k, all_v, out, sums, rows, keys, 1);
    cudaDeviceSynchronize();
  } else {
    attention<T, M, N, D, Form><<<blocks, 1>>>(q, k, v, out, sums, rows, keys);
  }

  std::vector<double> wanted(std::size_t(rows) * D), logarithms(rows);
  for (unsigned i = 0; i < rows; ++i) {
    const unsigned last = Form == form::causal ? std::min(i + 1, keys) : keys,
                   opposite = (blocks - 1 - i / M) * M + i % M;
    std::vector<double> scores(last);
    double largest = -1e30, weight = 0;
    for (unsigned j = 0; j < last; ++j) {
      const unsigned row = Form == form::two_queries && j >= keys / N * N ? opposite : i;
      for (int d = 0; d < D; ++d)
        scores[j] += q[row * D + d] * k[j * D + d] / 8;
      largest = std::max(largest, scores[j]);
    }
    for (unsigned j = 0; j < last; ++j) {
      const double p = std::exp2(scores[j] - largest);
      weight += p;
      for (int d = 0; d < D; ++d)
        wanted[i * D + d] += p * v[j * D + d];
    }
    for (int d = 0; d < D; ++d)
      wanted[i * D + d] /= weight;
    logarithms[i] = largest + std::log2(weight);
  }
  // Probabilities are rounded to T ahead of the second multiply.
  run::expect(name, out, [&](auto i) { return wanted[i]; }, run::tolerance<T> * 4);
  run::expect("its logarithms", sums, [&](auto i) { return logarithms[i]; }, 1e-4);
}

int main() {
  using bf16 = __nv_bfloat16;
  test<__half, 128, 128, 64, form::full>("full, whole blocks", 512, 256);
  test<__half, 128, 128, 64, form::full>("full, odd", 640 - 13, 277);
  test<__half, 128, 128, 64, form::causal>("causal", 640, 640);
  test<bf16, 128, 64, 128, form::causal>("causal, odd, small blocks of keys", 515, 515);
  test<bf16, 128, 128, 128, form::full>("fewer keys than a block", 384, 77);
  test<bf16, 128, 128, 128, form::two_queries>("two queries", 384, 300);
  test<bf16, 128, 128, 128, form::full, true>("of a cache", 384, 400);
  test<bf16, 128, 128, 128, form::causal, true>("of a cache, causal", 300, 300);
  return run::finish();
}
