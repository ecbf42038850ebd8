// The gradients of TileGym's attention, and its attention with sinks for one query at a time, whose
// keys are split over blocks. No test of its own reaches them. references.py gives the checkout.
#include "../run/run.h"

#include <algorithm>
#include <attention.cuh>
#include <attention_sink_decode.cuh>

// The order of the four gradients' names is that of the kernel's results.
template <class T, bool IsCausal> void gradients(const char *name) {
  constexpr int batches = 1, heads = 2, length = 128, block = 64, depth = 64;
  constexpr int rows = batches * heads * length, size = rows * depth;
  constexpr double scale = 0.125;
  auto some = [](int factor) {
    return [=](std::size_t i) { return run::small(factor * i + factor) / 4; };
  };
  run::array<T> q(size, some(1)), k(size, some(3)), v(size, some(5)), d(size, some(7));
  // The forward pass: probabilities, results, base-2 logarithms of the sums.
  std::vector<double> p(std::size_t(rows) * length), sums(rows), deltas(rows), o(size);
  for (int row = 0; row < rows; ++row) {
    const int first = row / length * length;
    double most = -INFINITY, sum = 0;
    auto score = [&](int j) {
      double s = 0;
      for (int c = 0; c < depth; ++c)
        s += q[row * depth + c] * k[(first + j) * depth + c];
      return s * scale;
    };
    const int last = IsCausal ? row % length + 1 : length;
    for (int j = 0; j < last; ++j)
      most = std::fmax(most, p[std::size_t(row) * length + j] = score(j));
    for (int j = 0; j < last; ++j)
      sum += p[std::size_t(row) * length + j] = std::exp(p[std::size_t(row) * length + j] - most);
    for (int j = 0; j < last; ++j)
      p[std::size_t(row) * length + j] /= sum;
    sums[row] = (most + std::log(sum)) / std::log(2);
    for (int c = 0; c < depth; ++c)
      for (int j = 0; j < last; ++j)
        o[row * depth + c] += p[std::size_t(row) * length + j] * v[(first + j) * depth + c];
  }
  run::array<T> out(size, [&](auto i) { return o[i]; });
  run::array<float> l(rows, [&](auto i) { return sums[i]; }), minus_delta(rows), minus_l(rows);
  fmha_bwd_preprocess_kernel<T, batches, heads, length, block, depth, 1>
      <<<dim3(length / block, batches * heads), 1>>>(out, d, l, minus_delta, minus_l, scale);
  for (int row = 0; row < rows; ++row)
    for (int c = 0; c < depth; ++c)
      deltas[row] += out[row * depth + c] * d[row * depth + c];
  std::printf("%s ", name);
  run::expect("fmha_bwd_preprocess_kernel", minus_delta,
              [&](auto i) { return -scale * deltas[i]; });
  run::expect("its logarithms", minus_l, [&](auto i) { return -l[i]; });

  run::array<float> dq(size);
  run::array<T> dk(size), dv(size);
  fmha_bwd_main_kernel<T, batches, heads, length, length, block, block, depth, IsCausal, 1>
      <<<dim3(length / block, batches * heads), 1>>>(q, k, v, d, minus_l, minus_delta, dq, dk, dv,
                                                     scale);
  std::vector<double> wq(size), wk(size), wv(size);
  for (int row = 0; row < rows; ++row) {
    const int first = row / length * length;
    for (int j = 0; j < length; ++j) {
      const double chance = p[std::size_t(row) * length + j];
      double dp = 0;
      for (int c = 0; c < depth; ++c)
        dp += d[row * depth + c] * v[(first + j) * depth + c];
      const double ds = chance * (dp - deltas[row]) * scale;
      for (int c = 0; c < depth; ++c) {
        wq[row * depth + c] += ds * k[(first + j) * depth + c];
        wk[(first + j) * depth + c] += ds * q[row * depth + c];
        wv[(first + j) * depth + c] += chance * d[row * depth + c];
      }
    }
  }
  // Probabilities are rounded to T ahead of the products.
  const double bound = run::tolerance<T> * 5;
  run::expect("fmha_bwd_main_kernel dq", dq, [&](auto i) { return wq[i]; }, bound);
  run::expect("dk", dk, [&](auto i) { return wk[i]; }, bound);
  run::expect("dv", dv, [&](auto i) { return wv[i]; }, bound);
}

template <class T, int Queries, int Window, bool HasSinks> void decode(const char *name, int at) {
  constexpr int batches = 2, heads = 2, length = 200, depth = 64, block = 64, split = 128;
  constexpr int group = 8, splits = 2, all = heads * Queries;
  constexpr double scale = 0.125, ln2 = 0.6931471805599453;
  run::array<T> q(batches * all * depth, run::small), sinks(all, run::small);
  run::array<T> k(batches * heads * length * depth, [](auto i) { return run::small(3 * i + 1); });
  run::array<T> v(batches * heads * length * depth, [](auto i) { return run::small(5 * i + 2); });
  run::array<T> out(batches * all * splits * depth);
  run::array<float> lse(batches * all * splits);
  run::array<int> start(1, [&](auto) { return at; });
  attention_sink_decode_kernel<T, batches, heads, all, length, Queries, group, split, depth, block,
                               splits, Window, HasSinks, 1>
      <<<dim3(batches, heads, splits), 1>>>(q, k, v, sinks, out, lse, start, scale);

  // Of one split: the base-2 logarithm of the sum, and the results.
  std::vector<double> logarithms(lse.size), results(out.size);
  for (int b = 0; b < batches; ++b)
    for (int h = 0; h < all; ++h)
      for (int s = 0; s < splits; ++s) {
        const int last = std::min({(s + 1) * split, length, at + 1});
        const int first = Window ? std::max(s * split, at + 1 - Window) : s * split;
        std::vector<double> scores, sum(depth);
        const std::size_t row = (b * all + h), keys = (b * heads + h / Queries) * length;
        double most = HasSinks && s == 0 ? sinks[h] : -INFINITY, total = 0;
        for (int j = first; j < last; ++j) {
          double x = 0;
          for (int c = 0; c < depth; ++c)
            x += q[row * depth + c] * k[(keys + j) * depth + c];
          scores.push_back(x * scale), most = std::fmax(most, x * scale);
        }
        if (HasSinks && s == 0)
          total = std::exp(sinks[h] - most);
        for (int j = first; j < last; ++j) {
          const double e = std::exp(scores[j - first] - most);
          total += e;
          for (int c = 0; c < depth; ++c)
            sum[c] += e * v[(keys + j) * depth + c];
        }
        logarithms[row * splits + s] = (most + std::log(total)) / ln2;
        for (int c = 0; c < depth; ++c)
          results[(row * splits + s) * depth + c] = first < last ? sum[c] / total : 0;
        if (first >= last)
          logarithms[row * splits + s] = -INFINITY;
      }
  std::printf("%s ", name);
  const double bound = run::tolerance<T> * 4;
  run::expect("attention_sink_decode_kernel", out, [&](auto i) { return results[i]; }, bound);
  run::expect("its logarithms", lse, [&](auto i) { return logarithms[i]; }, 1e-3);
}

int main() {
  gradients<__half, false>("half");
  gradients<__half, true>("half, causal");
  gradients<__nv_bfloat16, true>("bfloat16, causal");
  decode<__half, 8, 0, true>("sinks", 199);
  decode<__half, 4, 0, false>("no sinks, fewer queries", 150);
  decode<__nv_bfloat16, 8, 100, true>("window", 180);
  decode<__half, 8, 0, true>("an empty split", 70);
  return run::finish();
}
