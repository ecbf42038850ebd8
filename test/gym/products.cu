// TileGym's persistent batched product and the two layers of its mixture of experts, which no test
// of its own reaches. references.py gives the checkout.
#include "../run/run.h"

#include <bmm.cuh>
#include <cuda_fp8.h>
#include <moe.cuh>

template <class T, bool TurnsA, bool TurnsB> void batched(const char *name) {
  constexpr int batches = 2, rows = 40, columns = 72, depth = 50;
  run::array<T> a(batches * rows * depth, run::small), c(batches * rows * columns);
  run::array<T> b(batches * depth * columns, [](std::size_t i) { return run::small(5 * i + 2); });
  // Rows are aligned in their memory as the kernel's views take them: by their elements.
  bmm_static_persistent_kernel<T, 32, 32, 32, 8, TurnsA, TurnsB, batches, rows, columns, depth, 1,
                               1><<<3, 1>>>(a, b, c);
  run::expect(name, c, [&](std::size_t i) {
    const std::size_t batch = i / (rows * columns), row = i / columns % rows, column = i % columns;
    double sum = 0;
    for (std::size_t k = 0; k < depth; ++k)
      sum += a[batch * rows * depth + (TurnsA ? k * rows + row : row * depth + k)] *
             b[batch * depth * columns + (TurnsB ? column * depth + k : k * columns + column)];
    return sum;
  });
}

// Tokens go to two experts each; what an expert gets is padded to whole blocks.
struct routing {
  static constexpr int tokens = 24, experts = 4, chosen = 2, block = 32;
  static constexpr int valid = tokens * chosen;
  std::vector<int> sorted, expert_of_block, expert_of;

  routing() : expert_of(valid) {
    for (int i = 0; i < valid; ++i)
      expert_of[i] = (i / chosen * 5 + i % chosen * 3) % experts;
    for (int e = 0; e < experts; ++e) {
      for (int i = 0; i < valid; ++i)
        if (expert_of[i] == e)
          sorted.push_back(i);
      while (sorted.size() % block)
        sorted.push_back(valid);
      expert_of_block.resize(sorted.size() / block, e);
    }
  }
};

template <class T> void experts() {
  using in = __nv_fp8_e4m3;
  constexpr int N = 96, K = 64, bn = 64, bk = 32, scales_n = 2, scales_k = 2;
  const routing r;
  const int padded = int(r.sorted.size()), blocks = padded / r.block * scales_n;
  auto factor = [](std::size_t i) { return float(run::small(i)); };
  auto scale = [](std::size_t i) { return 0.25 + double(i % 5) / 8; };
  run::array<in> a(r.tokens * K, factor), rows(r.valid * K, factor);
  run::array<in> b1(r.experts * N * K, [](std::size_t i) { return float(run::small(3 * i + 5)); });
  run::array<in> b2(r.experts * N * K, [](std::size_t i) { return float(run::small(7 * i + 1)); });
  run::array<float> as(r.tokens * scales_k, scale), b1s(r.experts * scales_n * scales_k, scale);
  run::array<float> b2s(r.experts * scales_n * scales_k, [&](auto i) { return scale(i + 2); });
  run::array<T> weights(r.valid, [](std::size_t i) { return 0.125 * (1 + i % 7); });
  run::array<int> sorted(padded, [&](auto i) { return r.sorted[i]; });
  run::array<int> chosen(r.expert_of_block.size(), [&](auto i) { return r.expert_of_block[i]; });
  run::array<int> count(1, [&](auto) { return padded; });
  run::array<T> gated(r.valid * N), plain(r.valid * N), weighted(r.valid * N);

  fused_moe_fc1_layer_kernel<T, in, routing::block, bn, bk, 8, false><<<blocks, 1>>>(
      a, b1, b2, gated, as, b1s, b2s, weights, sorted, chosen, count, int(r.tokens), N, K, padded,
      int(r.valid), K, 1, N * K, 1, K, N * K, 1, K, N, 1, scales_k, 1, scales_n * scales_k, 1,
      scales_k, scales_n * scales_k, 1, scales_k, bn, bk, int(r.chosen));
  auto product = [&](run::array<in> &left, std::size_t row, run::array<in> &right,
                     run::array<float> &scales, std::size_t i) {
    const std::size_t id = i / N, column = i % N, expert = r.expert_of[id];
    double sum = 0;
    for (std::size_t k = 0; k < K; ++k)
      sum += left[row * K + k] * right[(expert * N + column) * K + k] *
             as[id / r.chosen * scales_k + k / bk] *
             scales[(expert * scales_n + column / bn) * scales_k + k / bk];
    return sum;
  };
  const double bound = run::tolerance<T>;
  run::expect(
      "fused_moe_fc1_layer_kernel", gated,
      [&](std::size_t i) {
        const double x = product(a, i / N / r.chosen, b1, b1s, i);
        return x / (1 + std::exp(-x)) * product(a, i / N / r.chosen, b2, b2s, i);
      },
      bound);
  auto second = [&](auto kernel, run::array<T> &out) {
    kernel<<<blocks, 1>>>(rows, b1, out, as, b1s, weights, sorted, chosen, count, int(r.tokens), N,
                          K, padded, int(r.valid), K, 1, N * K, 1, K, N, 1, scales_k, 1,
                          scales_n * scales_k, 1, scales_k, bn, bk, int(r.chosen));
  };
  second(fused_moe_fc2_layer_kernel<T, in, routing::block, bn, bk, 8, false>, plain);
  second(fused_moe_fc2_layer_kernel<T, in, routing::block, bn, bk, 8, true>, weighted);
  auto sum = [&](std::size_t i) { return product(rows, i / N, b1, b1s, i); };
  run::expect("fused_moe_fc2_layer_kernel", plain, sum, bound);
  run::expect(
      "its weighted form", weighted, [&](std::size_t i) { return sum(i) * weights[i / N]; }, bound);
}

int main() {
  batched<__half, false, false>("bmm_static_persistent_kernel");
  batched<__half, true, false>("its first factor turned");
  batched<__half, false, true>("its second factor turned");
  batched<__nv_bfloat16, true, true>("both turned");
  experts<__half>();
  experts<__nv_bfloat16>();
  return run::finish();
}
