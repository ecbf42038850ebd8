// Loops of small multiplies that several turns at once would compute otherwise: they end before
// the extent does, what comes behind wraps round in a narrower type or is a quotient of what is no
// multiple, or a factor is computed with what is not the same all along K.
#include "run.h"

#include <cuda_tile.h>
#include <vector>

namespace ct = cuda::tiles;

constexpr int T = 64, K = 16, boxes = 136;
using sum_tile = ct::tile<float, ct::shape<T, T>>;

__tile__ auto along(const __half *x) {
  return ct::partition_view{ct::tensor_span{x, ct::extents{T, boxes * K}}, ct::shape<T, K>{}};
}
__tile__ auto down(const __half *y) {
  return ct::partition_view{ct::tensor_span{y, ct::extents{boxes * K, T}}, ct::shape<K, T>{}};
}
__tile__ void store(float *out, sum_tile sum) {
  ct::partition_view{ct::tensor_span{out, ct::extents{T, T}}, ct::shape<T, T>{}}.store(sum, 0, 0);
}

// As many turns as there are boxes up to `last`, which is not the extent; or up to half of one.
template <int More> __tile_global__ void up_to(const __half *__restrict__ x,
                                               const __half *__restrict__ y,
                                               float *__restrict__ out, int last) {
  auto sum = ct::zeros<sum_tile>();
  for (int i = 0; i < (last + More) / K; ++i)
    sum = ct::mma(along(x).load_masked(0, i), down(y).load_masked(i, 0), sum);
  store(out, sum);
}

// Behind box 127 comes one far below 0, where there are zeros.
__tile_global__ void narrow(const __half *__restrict__ x, const __half *__restrict__ y,
                            float *__restrict__ out, int first, int turns) {
  auto sum = ct::zeros<sum_tile>();
  for (int i = 0; i < turns; ++i) {
    const signed char at = (signed char)(first + i);
    sum = ct::mma(along(x).load_masked(0, at), down(y).load_masked(at, 0), sum);
  }
  store(out, sum);
}

// Quotients are rounded toward zero: -3 / 2, -1 / 2, 1 / 2, 3 / 2 are -1, 0, 0, 1.
__tile_global__ void halves(const __half *__restrict__ x, const __half *__restrict__ y,
                            float *__restrict__ out, int turns) {
  auto sum = ct::zeros<sum_tile>();
  for (int i = 0; i < turns; ++i) {
    const int at = (2 * i - 3) / 2 + 5;
    sum = ct::mma(along(x).load_masked(0, at), down(y).load_masked(at, 0), sum);
  }
  store(out, sum);
}

// Each turn's box times the same row of numbers.
__tile_global__ void weighted(const __half *__restrict__ x, const __half *__restrict__ y,
                              float *__restrict__ out, const __half *__restrict__ weights,
                              int turns) {
  auto row =
      ct::partition_view{ct::tensor_span{weights, ct::extents{1, K}}, ct::shape<1, K>{}}.load(0, 0);
  auto sum = ct::zeros<sum_tile>();
  for (int i = 0; i < turns; ++i)
    sum = ct::mma(along(x).load_masked(0, i) * row, down(y).load_masked(i, 0), sum);
  store(out, sum);
}

double weight(int i) { return i % 3 + 1; }

struct factors {
  run::array<__half> x, y;
  factors()
      : x(T * boxes * K, run::small), y(boxes * K * T, [](auto i) { return run::small(i + 5); }) {}
  // The sum over boxes.
  double sum(std::size_t i, const std::vector<int> &read, bool is_weighted = false) const {
    const int row = int(i) / T, column = int(i) % T;
    double sum = 0;
    for (int box : read)
      for (int j = 0; box >= 0 && j < K; ++j)
        sum += x[row * boxes * K + box * K + j] * y[(box * K + j) * T + column] *
               (is_weighted ? weight(j) : 1);
    return sum;
  }
};

int main() {
  factors f;
  run::array<float> out(T * T);
  up_to<K - 1><<<1, 1>>>(f.x, f.y, out, 5 * K - 3);
  run::expect("up to", out, [&](auto i) { return f.sum(i, {0, 1, 2, 3, 4}); });
  up_to<K / 2><<<1, 1>>>(f.x, f.y, out, 3 * K + 3);
  run::expect("up to half", out, [&](auto i) { return f.sum(i, {0, 1, 2}); });
  narrow<<<1, 1>>>(f.x, f.y, out, 126, 6);
  run::expect("narrow", out, [&](auto i) { return f.sum(i, {126, 127}); });
  halves<<<1, 1>>>(f.x, f.y, out, 5);
  run::expect("halves", out, [&](auto i) { return f.sum(i, {4, 5, 5, 6, 7}); });
  run::array<__half> weights(K, [](auto i) { return weight(int(i)); });
  weighted<<<1, 1>>>(f.x, f.y, out, weights, 5);
  run::expect("weighted", out, [&](auto i) { return f.sum(i, {0, 1, 2, 3, 4}, true); });
  return run::finish();
}
