// [mma] A product that is a factor of the next: rescaled, cut off, used again besides, in loops and
// branches, of tiles whose rows several warpgroups share.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

#define TILE(T, ...) ct::tile<T, ct::shape<__VA_ARGS__>>

constexpr int depth = 32;

template <int R, int C, class T> __tile__ auto matrix(T *p) {
  return ct::partition_view{ct::tensor_span{p, ct::extents<int, R, C>{}}, ct::shape<R, C>{}};
}

/// D = f(A B) C, where f scales and keeps what is positive; more: what f gave, as floats.
template <int M, int K, int N, bool Transposed, class T>
__tile_global__ void chain(const T *a, const T *b, const T *c, float *d, float *more, float scale) {
  auto product = ct::mma(matrix<M, depth>(a).load(0, 0), matrix<depth, K>(b).load(0, 0),
                         ct::zeros<TILE(float, M, K)>());
  auto middle = ct::element_cast<T>(ct::max(product * scale, 0.0f));
  auto sum = ct::full<TILE(float, M, N)>(1.0f);
  if constexpr (Transposed)
    sum = ct::mma(middle, ct::transpose(matrix<N, K>(c).load(0, 0)), sum);
  else
    sum = ct::mma(middle, matrix<K, N>(c).load(0, 0), sum);
  matrix<M, N>(d).store(sum, 0, 0);
  matrix<M, K>(more).store(ct::element_cast<float>(middle), 0, 0);
}

/// Sums over i of f(A B_i) C_i, every second of them twice; the last product is a factor once more.
template <class T>
__tile_global__ void loop(const T *a, const T *b, const T *c, const T *e, float *d, int count) {
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{depth, count * 64}},
                               ct::shape<depth, 64>{}};
  auto cs =
      ct::partition_view{ct::tensor_span{c, ct::extents{count * 64, 64}}, ct::shape<64, 64>{}};
  auto factor = matrix<128, depth>(a).load(0, 0);
  auto sum = ct::zeros<TILE(float, 128, 64)>();
  for (int i = 0; i < count; ++i) {
    auto middle = ct::element_cast<T>(
        ct::max(ct::mma(factor, bs.load(0, i), ct::zeros<TILE(float, 128, 64)>()), 0.0f));
    sum = ct::mma(middle, cs.load(i, 0), sum);
    if (i % 2)
      sum = ct::mma(middle, cs.load(i, 0), sum);
  }
  auto last = ct::mma(ct::element_cast<T>(sum * 0.0625f), matrix<64, 32>(e).load(0, 0),
                      ct::zeros<TILE(float, 128, 32)>());
  matrix<128, 32>(d).store(last, 0, 0);
}

double element(std::size_t i) { return run::small(i); }

template <class T> double rounded(double x) { return run::number(T(float(x))); }

template <int M, int K, int N, bool Transposed, class T> void check(const char *what) {
  run::array<T> a(M * depth, element), b(depth * K, element), c(K * N, element);
  run::array<float> d(M * N), more(M * K);
  chain<M, K, N, Transposed, T><<<1, 1>>>(a, b, c, d, more, 0.5f);
  std::vector<double> middle(M * K);
  for (int i = 0; i < M * K; ++i) {
    double sum = 0;
    for (int t = 0; t < depth; ++t)
      sum += element(i / K * depth + t) * element(t * K + i % K);
    middle[i] = rounded<T>(std::fmax(sum * 0.5, 0));
  }
  run::expect(what, d, [&](int i) {
    double sum = 1;
    for (int t = 0; t < K; ++t)
      sum += middle[i / N * K + t] * element(Transposed ? i % N * K + t : t * N + i % N);
    return sum;
  });
  run::expect("the factor", more, [&](int i) { return middle[i]; });
}

template <class T> void check_loop(const char *what) {
  constexpr int count = 3;
  run::array<T> a(128 * depth, element), b(depth * count * 64, element),
      c(count * 64 * 64, element), e(64 * 32, element);
  run::array<float> d(128 * 32);
  loop<T><<<1, 1>>>(a, b, c, e, d, count);
  std::vector<double> sum(128 * 64);
  for (int row = 0; row < 128; ++row)
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < 64; ++k) {
        double product = 0;
        for (int t = 0; t < depth; ++t)
          product += element(row * depth + t) * element(t * count * 64 + i * 64 + k);
        for (int column = 0; column < 64; ++column)
          sum[row * 64 + column] += rounded<T>(std::fmax(product, 0)) *
                                    element((i * 64 + k) * 64 + column) * (i % 2 ? 2 : 1);
      }
  run::expect(
      what, d,
      [&](int i) {
        double last = 0;
        for (int k = 0; k < 64; ++k)
          last += rounded<T>(sum[i / 32 * 64 + k] * 0.0625) * element(k * 32 + i % 32);
        return last;
      },
      run::tolerance<T>);
}

int main() {
  check<64, 64, 64, false, __half>("64x64x64");
  check<128, 64, 128, false, __half>("128x64x128");
  check<128, 16, 64, false, __half>("128x16x64");
  check<256, 32, 64, true, __half>("256x32x64, transposed");
  check<64, 128, 8, true, __half>("64x128x8, transposed");
  check<64, 64, 256, false, __half>("64x64x256");
  check<64, 256, 64, false, __half>("64x256x64");
  check<128, 128, 64, true, __nv_bfloat16>("128x128x64 of bf16");
  check<32, 64, 64, false, __half>("below a warpgroup");
  check<64, 32, 64, true, float>("floats");
  check_loop<__half>("loop");
  check_loop<__nv_bfloat16>("loop of bf16");
  return run::finish();
}
