// A mixture of experts: the two best experts of each token, how many tokens each expert has, tokens
// in the order of their experts, one product for all experts, and what it gives added up.
#include "run.h"
#include <cuda_tile.h>
#include <algorithm>
#include <numeric>
namespace ct = cuda::tiles;
using namespace ct::literals;

#define TILE(T, ...) ct::tile<T, ct::shape<__VA_ARGS__>>
using relaxed = ct::memory_order_relaxed_t;
using device = ct::thread_scope_device_t;

template <int T, int E> __tile_global__ void choose(const float *scores, int *expert, float *weight,
                                                    int *count, int tokens, int experts) {
  auto view =
      ct::partition_view{ct::tensor_span{scores, ct::extents{tokens, experts}}, ct::shape<T, E>{}};
  const int block = ct::bid().x;
  auto x = view.template load_masked<ct::view_padding::negative_inf>(block, 0);
  auto e = ct::iota<TILE(int, 1, E)>();
  auto t = ct::iota<TILE(int, T, 1)>() + block * T;
  auto first = ct::element_cast<int>(ct::max_element<1>(x));
  auto rest = ct::select(e == first, ct::full<decltype(x)>(-INFINITY), x);
  auto second = ct::element_cast<int>(ct::max_element(rest, 1_ic));
  auto share = 1.0f / (1.0f + ct::exp(ct::reduce_max<1>(x) - ct::reduce_max(rest, 1_ic)));
  ct::store_masked(expert + t * 2, first, t < tokens);
  ct::store_masked(expert + (t * 2 + 1), second, t < tokens);
  ct::store_masked(weight + t * 2, 1.0f - share, t < tokens);
  ct::store_masked(weight + (t * 2 + 1), share, t < tokens);
  auto hits = ct::element_cast<int>((e == first || e == second) && t < tokens);
  ct::atomic_add_masked(count + e, ct::sum<0>(hits), e < experts, relaxed{}, device{});
}

// One block: where each expert's slots begin, in whole blocks of `Rows`, and whose a block is.
template <int E, int Rows> __tile_global__ void place(const int *count, int *begin, int *cursor,
                                                      int *expert_of_block, int experts) {
  auto e = ct::iota<TILE(int, E)>();
  auto slots = (ct::load_masked(count + e, e < experts, 0) + (Rows - 1)) / Rows * Rows;
  auto ends = ct::partial_sum<0>(slots);
  ct::store_masked(begin + e, ends - slots, e < experts);
  ct::store_masked(cursor + e, ends - slots, e < experts);
  for (int k = 0; k < experts; ++k)
    for (int j = 0; j * Rows < count[k]; ++j)
      expert_of_block[begin[k] / Rows + j] = k;
  begin[experts] = int(ct::reduce_max<0>(ends));
}

template <int N>
__tile_global__ void scatter(const int *expert, int *cursor, int *pair_of_slot, int pairs) {
  auto i = ct::iota<TILE(int, N)>() + int(ct::bid().x) * N;
  auto e = ct::load_masked(expert + i, i < pairs, 0);
  auto one = ct::ones<decltype(e)>();
  auto slot = ct::atomic_add_masked(cursor + e, one, i < pairs, relaxed{}, device{});
  ct::store_masked(pair_of_slot + slot, i, i < pairs);
}

template <int Rows, int N, int K>
__tile_global__ void multiply(const __half *x, const __half *w, const int *pair_of_slot,
                              const int *begin, const int *expert_of_block, const float *weight,
                              float *y, int n, int k, int experts) {
  const int block = ct::bid().x;
  if (block * Rows >= begin[experts])
    return;
  auto pair = ct::load(pair_of_slot + (ct::iota<TILE(int, Rows, 1)>() + block * Rows));
  auto is_used = pair >= 0;
  auto ws =
      ct::partition_view{ct::tensor_span{w, ct::extents{experts, k, n}}, ct::shape<1, K, N>{}};
  auto sum = ct::zeros<TILE(float, Rows, N)>();
  for (auto i : ct::irange(0, ct::ceildiv(k, K))) {
    auto column = ct::iota<TILE(int, 1, K)>() + i * K;
    auto rows = ct::load_masked(x + (pair / 2 * k + column), is_used && column < k, __half(0.0f));
    auto factor = ws.load_masked(expert_of_block[block], i, ct::bid().y);
    sum = ct::mma(rows, ct::reshape(factor, ct::shape<K, N>{}), sum);
  }
  auto share = ct::load_masked(weight + pair, is_used, 0.0f);
  auto column = ct::iota<TILE(int, 1, N)>() + int(ct::bid().y) * N;
  ct::atomic_add_masked(y + (pair / 2 * n + column), sum * share, is_used && column < n, relaxed{},
                        device{});
}

int main() {
  constexpr int tokens = 21, experts = 6, n = 40, k = 24, pairs = 2 * tokens, rows = 16;
  constexpr int slots = pairs / rows * rows + experts * rows;
  run::array<float> scores(tokens * experts, [](auto i) { return std::sin(double(i)) * 3; }),
      weight(pairs), y(tokens * n);
  run::array<__half> x(tokens * k, [](auto i) { return run::small(i); }),
      w(experts * k * n, [](auto i) { return run::small(i + 5); });
  run::array<int> expert(pairs), count(experts), begin(experts + 1), cursor(experts),
      expert_of_block(slots / rows), pair_of_slot(slots, [](auto) { return -1; });

  std::vector<int> chosen(pairs);
  std::vector<double> shares(pairs), products(tokens * n);
  for (int t = 0; t < tokens; ++t) {
    auto score = [&](int e) { return scores[t * experts + e]; };
    std::vector<int> order(experts);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return score(a) > score(b); });
    for (int which : {0, 1}) {
      const int e = chosen[2 * t + which] = order[which];
      const double share = 1 / (1 + std::exp(score(order[1 - which]) - score(e)));
      shares[2 * t + which] = share;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < k; ++i)
          products[t * n + j] += share * x[t * k + i] * w[(e * k + i) * n + j];
    }
  }

  choose<16, 8><<<2, 1>>>(scores, expert, weight, count, tokens, experts);
  place<8, rows><<<1, 1>>>(count, begin, cursor, expert_of_block, experts);
  scatter<32><<<2, 1>>>(expert, cursor, pair_of_slot, pairs);
  multiply<rows, 32, 16><<<dim3(slots / rows, 2), 1>>>(x, w, pair_of_slot, begin, expert_of_block,
                                                       weight, y, n, k, experts);
  run::expect("experts", expert, [&](auto i) { return chosen[i]; });
  run::expect("counts", count,
              [&](auto e) { return std::count(chosen.begin(), chosen.end(), int(e)); });
  run::expect("weights", weight, [&](auto i) { return shares[i]; });
  run::expect("products", y, [&](auto i) { return products[i]; });
  return run::finish();
}
