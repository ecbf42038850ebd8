// TileGym's latent attention for one query at a time, in the form that no test of its own reaches,
// and in the other one. references.py gives the checkout.
#include "../run/run.h"

#include <mla_decoding.cuh>

template <class T, bool IsTransposed> void decode(const char *name) {
  constexpr int batches = 2, heads = 20, length = 70, depth = 128, extra = 32, block = 16,
                keys = 32;
  constexpr double scale = 0.0625, ln2 = 0.6931471805599453;
  auto some = [](int factor) {
    return [=](std::size_t i) { return run::small(factor * i + factor) / 2; };
  };
  run::array<T> q(batches * heads * depth, some(1)), qpe(batches * heads * extra, some(3));
  run::array<T> kv(batches * length * depth, some(5)), kpe(batches * length * extra, some(7));
  run::array<T> out(batches * heads * depth);
  run::array<float> l(batches * heads);
  auto kernel = IsTransposed ? naive_absorb_mla_transpose<T, depth, block, keys, extra>
                             : naive_absorb_mla<T, depth, block, keys, extra>;
  kernel<<<dim3(2, batches), 1>>>(q, qpe, kv, kpe, out, l, scale, heads * depth, depth,
                                  heads * extra, extra, length * depth, depth, length * extra,
                                  extra, heads * depth, depth, batches, heads, length);
  std::vector<double> sums(batches * heads), results(out.size);
  for (int row = 0; row < batches * heads; ++row) {
    const int first = row / heads * length;
    double scores[length], most = -INFINITY;
    for (int j = 0; j < length; ++j) {
      double x = 0;
      for (int c = 0; c < depth; ++c)
        x += q[row * depth + c] * kv[(first + j) * depth + c];
      for (int c = 0; c < extra; ++c)
        x += qpe[row * extra + c] * kpe[(first + j) * extra + c];
      most = std::fmax(most, scores[j] = x * scale);
    }
    for (double &x : scores)
      sums[row] += x = std::exp(x - most);
    for (int j = 0; j < length; ++j)
      for (int c = 0; c < depth; ++c)
        results[row * depth + c] += scores[j] / sums[row] * kv[(first + j) * depth + c];
    sums[row] = (most + std::log(sums[row])) / ln2;
  }
  run::expect(name, out, [&](auto i) { return results[i]; }, run::tolerance<T> * 2);
  run::expect("its logarithms", l, [&](auto i) { return sums[i]; }, 1e-4);
}

int main() {
  decode<__half, false>("naive_absorb_mla");
  decode<__nv_bfloat16, false>("naive_absorb_mla of bfloat16");
  decode<__half, true>("naive_absorb_mla_transpose");
  return run::finish();
}
