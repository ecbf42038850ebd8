// Attention in fp8: the weights stay in registers with K in another order, the values are
// transposed by warps of their own, and sums are promoted when their multiply is complete. Tiles of
// one and several panels, lengths that are odd, of one and several iterations; where the launch
// does not know the views, the kernel makes its tensor maps. A chain whose operand has its rows
// along K already, and one in which the values are read for something else, too.
#include "run.h"

#include <cuda_fp8.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using e4m3 = __nv_fp8_e4m3;
using e5m2 = __nv_fp8_e5m2;

enum class form { full, causal, values_across, values_twice };

// softmax in base 2 of q k^T, times v, of one head. values_across: v is [D, keys].
template <class T, int M, int N, int D, form Form> __tile__ void
attend(const T *q, const T *k, const T *v, float *out, float *sums, unsigned rows, unsigned keys) {
  q = ct::assume_aligned<16>(q), k = ct::assume_aligned<16>(k), v = ct::assume_aligned<16>(v);
  out = ct::assume_aligned<16>(out);
  auto tiles = [](auto *array, unsigned length, auto shape) {
    return ct::partition_view{
        ct::tensor_span{array, ct::extents{length, ct::integral_constant<D>{}}}, shape};
  };
  auto qs = tiles(q, rows, ct::shape<M, D>{});
  auto ks = tiles(k, keys, ct::shape<N, D>{}), vs = tiles(v, keys, ct::shape<N, D>{});
  auto outs = tiles(out, rows, ct::shape<M, D>{});
  using column = ct::tile<float, ct::shape<M, 1>>;
  using scores = ct::tile<float, ct::shape<M, N>>;

  const int block = ct::bid().x;
  auto query = qs.load_masked(block, 0);
  auto largest = ct::full<column>(-64.0f), weight = ct::zeros<column>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  auto all = ct::zeros<ct::tile<float, ct::shape<1, D>>>();
  auto row = ct::iota<ct::tile<int, ct::shape<M, 1>>>() + block * M;
  auto value_of = [&](int i) {
    if constexpr (Form == form::values_across) {
      auto extents = ct::extents{ct::integral_constant<D>{}, ct::assume_divisible<16>(keys)};
      auto across = ct::partition_view{ct::tensor_span{v, extents}, ct::shape<D, N>{}};
      return ct::transpose(across.load_masked(0, i));
    } else {
      return vs.load_masked(i, 0);
    }
  };
  auto attend_to = [&](int i, auto is_masked) {
    auto score = ct::mma(query, ct::transpose(ks.load_masked(i, 0)), ct::zeros<scores>());
    if constexpr (is_masked) {
      auto key = ct::iota<ct::tile<int, ct::shape<1, N>>>() + i * N;
      auto is_seen = ct::broadcast<ct::shape<M, N>>(key < int(keys));
      if constexpr (Form == form::causal)
        is_seen = is_seen & (key <= row);
      score = ct::select(is_seen, score, ct::full<scores>(-64.0f));
    }
    auto now = ct::max(largest, ct::reduce_max<1>(score));
    auto p = ct::exp2(score - now);
    auto fade = ct::exp2(largest - now);
    weight = weight * fade + ct::sum<1>(p);
    auto value = value_of(i);
    if constexpr (Form == form::values_twice)
      all = all + ct::sum<0>(ct::element_cast<float>(value));
    sum = ct::mma(ct::element_cast<T>(p), value, sum * fade);
    largest = now;
  };
  const int blocks = (int(keys) + N - 1) / N;
  int whole = int(keys) / N, end = blocks;
  if constexpr (Form == form::causal) {
    whole = ct::min(block * M / N, whole);
    end = ct::min((block * M + M + N - 1) / N, blocks);
  }
  for (auto i : ct::irange(0, whole))
    attend_to(i, std::false_type{});
  for (auto i : ct::irange(whole, end))
    attend_to(i, std::true_type{});
  if constexpr (Form == form::values_twice)
    sum = sum / weight + all;
  else
    sum = sum / weight;
  outs.store_masked(sum, block, 0);
  ct::partition_view{ct::tensor_span{sums, ct::extents{rows}}, ct::shape<M>{}}.store_masked(
      ct::reshape(weight, ct::shape<M>{}), block);
}

template <class T, int M, int N, int D, form Form>
__tile_global__ void attention(const T *__restrict__ q, const T *__restrict__ k,
                               const T *__restrict__ v, float *__restrict__ out,
                               float *__restrict__ sums, unsigned rows, unsigned keys) {
  attend<T, M, N, D, Form>(q, k, v, out, sums, rows, keys);
}

// Keys and values of one of several caches.
template <class T, int M, int N, int D, form Form>
__tile_global__ void attention_of_cache(const T *__restrict__ q, const T *const *__restrict__ k,
                                        const T *const *__restrict__ v, float *__restrict__ out,
                                        float *__restrict__ sums, unsigned rows, unsigned keys,
                                        int cache) {
  attend<T, M, N, D, Form>(q, k[cache], v[cache], out, sums, rows, keys);
}

// Scores are small integers, so that weights are powers of two, which fp8 has exactly.
template <class T, int M, int N, int D, form Form, bool IsOfCache = false>
void test(const char *name, unsigned rows, unsigned keys) {
  run::array<T> q(std::size_t(rows) * D,
                  [](auto i) { return T(i % D == i / D % D ? 1.0f : 0.0f); }),
      k(std::size_t(keys) * D,
        [](auto i) { return T(-float((i / D * 7 + i / (D * 3) + i % D * 5) % 6)); }),
      v(std::size_t(keys) * D,
        [](auto i) { return T(float(int((i / D * 5 + i / (D * 7) + i % D * 11) % 17) - 8) / 8); });
  run::array<float> out(std::size_t(rows) * D), sums(rows);
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

  auto value_at = [&](unsigned j, unsigned d) {
    return double(float(Form == form::values_across ? v[std::size_t(d) * keys + j]
                                                    : v[std::size_t(j) * D + d]));
  };
  std::vector<double> wanted(std::size_t(rows) * D), weights(rows);
  for (unsigned i = 0; i < rows; ++i) {
    const unsigned last = Form == form::causal ? std::min(i + 1, keys) : keys;
    double largest = -64, weight = 0;
    std::vector<double> scores(last);
    for (unsigned j = 0; j < last; ++j) {
      scores[j] = float(k[std::size_t(j) * D + i % D]);
      largest = std::max(largest, scores[j]);
    }
    for (unsigned j = 0; j < last; ++j) {
      const double p = std::exp2(scores[j] - largest);
      weight += p;
      for (int d = 0; d < D; ++d)
        wanted[i * D + d] += p * value_at(j, d);
    }
    for (int d = 0; d < D; ++d) {
      wanted[i * D + d] /= weight;
      if (Form == form::values_twice)
        for (unsigned j = 0; j < keys; ++j)
          wanted[i * D + d] += value_at(j, d);
    }
    weights[i] = weight;
  }
  // fp8 tensor cores keep some 13 bits of a sum, whose terms are at most the weight of a row.
  run::expect(name, out, [&](auto i) { return wanted[i]; }, 1e-3);
  run::expect("its weights", sums, [&](auto i) { return weights[i]; }, 1e-5);
}

int main() {
  test<e4m3, 128, 128, 128, form::full>("full, whole blocks", 384, 256);
  test<e4m3, 128, 128, 128, form::full>("full, odd", 384 - 13, 277);
  test<e4m3, 128, 128, 128, form::full>("fewer keys than a block", 384, 77);
  test<e4m3, 128, 128, 128, form::causal>("causal", 515, 515);
  test<e5m2, 128, 128, 128, form::causal>("causal, e5m2", 400, 400);
  test<e4m3, 128, 64, 128, form::causal>("small blocks of keys", 300, 300);
  test<e4m3, 128, 128, 64, form::full>("short rows", 384, 400);
  test<e4m3, 128, 64, 256, form::full>("rows of two panels", 256, 200);
  test<e4m3, 64, 64, 128, form::full>("blocks of few rows", 300, 200);
  test<e4m3, 256, 128, 128, form::causal>("blocks of many rows", 512, 512);
  test<e4m3, 128, 128, 128, form::full, true>("of a cache", 384, 400);
  test<e5m2, 128, 128, 128, form::causal, true>("of a cache, causal", 300, 300);
  test<e4m3, 128, 128, 128, form::values_across>("values along K", 256, 256);
  test<e4m3, 128, 128, 128, form::values_twice>("values read twice", 256, 200);
  return run::finish();
}
