// [mma] Sums that are too large for registers are made in parts: of square and long tiles, at
// ragged ends, in loops that do not run, with what follows element by element; stored where they
// were read, and twice; two of one loop.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

template <class T, class S, int M, int N, bool Turned>
__tile_global__ void multiply(const T *a, const T *b, S *c, int m, int n, int k) {
  constexpr int K = 32;
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<M, K>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::full<ct::tile<S, ct::shape<M, N>>>(S(1));
  for (int i = 0; i < ct::ceildiv(k, K); ++i)
    if constexpr (Turned) {
      auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{n, k}}, ct::shape<N, K>{}};
      sum = ct::mma(as.load_masked(row, i), ct::transpose(bs.load_masked(column, i)), sum);
    } else {
      auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<K, N>{}};
      sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
    }
  cs.store_masked(ct::max(sum * S(0.5), S(-4)), row, column);
}

// Matrices of views of more dimensions, read and stored as boxes of those; where a result goes is
// computed behind the loop.
template <int M, int N, bool Turned>
__tile_global__ void batches(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                             float *__restrict__ c, int m, int n, int k) {
  constexpr int K = 32;
  const int z = ct::num_blocks().z, batch = ct::bid().z, row = ct::bid().y, column = ct::bid().x;
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{z, m, k}}, ct::shape<1, M, K>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    auto x = ct::reshape(as.load_masked(batch, row, i), ct::shape<M, K>{});
    if constexpr (Turned) {
      auto bs =
          ct::partition_view{ct::tensor_span{b, ct::extents{z, 1, n, k}}, ct::shape<1, 1, N, K>{}};
      auto y = ct::reshape(bs.load_masked(batch, 0, column, i), ct::shape<N, K>{});
      sum = ct::mma(x, ct::transpose(y), sum);
    } else {
      auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{z, k, n}}, ct::shape<1, K, N>{}};
      sum = ct::mma(x, ct::reshape(bs.load_masked(batch, i, column), ct::shape<K, N>{}), sum);
    }
  }
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{z, m, n}}, ct::shape<1, M, N>{}};
  cs.store_masked(ct::reshape(sum + 1.0f, ct::shape<1, M, N>{}) * 2.0f, batch, row, column);
}

// The product of a block's rows takes their place: nothing is written before all is read.
__tile_global__ void in_place(bf16 *x, const bf16 *b) {
  constexpr int M = 256;
  auto xs = ct::partition_view{ct::tensor_span{x, ct::shape<M, M>{}}, ct::shape<M, 32>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::shape<M, M>{}}, ct::shape<32, M>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, M>>>();
  for (int i = 0; i < M / 32; ++i)
    sum = ct::mma(xs.load(0, i), bs.load(i, 0), sum);
  ct::partition_view{ct::tensor_span{x, ct::shape<M, M>{}}, ct::shape<M, M>{}}.store(
      ct::element_cast<bf16>(sum), 0, 0);
}

// Two sums of one loop, both too large, with a factor in common.
__tile_global__ void both(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                          const bf16 *__restrict__ d, float *__restrict__ c,
                          float *__restrict__ e) {
  constexpr int M = 256;
  auto as = ct::partition_view{ct::tensor_span{a, ct::shape<M, M>{}}, ct::shape<M, 32>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::shape<M, M>{}}, ct::shape<32, M>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::shape<M, M>{}}, ct::shape<M, M>{}};
  auto ds = ct::partition_view{ct::tensor_span{d, ct::shape<M, M>{}}, ct::shape<M, 32>{}};
  auto es = ct::partition_view{ct::tensor_span{e, ct::shape<M, M>{}}, ct::shape<M, M>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, M>>>(), other = sum;
  for (int i = 0; i < M / 32; ++i) {
    sum = ct::mma(as.load(0, i), bs.load(i, 0), sum);
    other = ct::mma(ds.load(0, i), bs.load(i, 0), other);
  }
  cs.store(sum, 0, 0);
  es.store(other, 0, 0);
}

// x as a factor from the other side, whose rows the first part has all of.
__tile_global__ void square_in_place(bf16 *x) {
  constexpr int M = 256;
  auto xs = ct::partition_view{ct::tensor_span{x, ct::shape<M, M>{}}, ct::shape<M, 32>{}};
  auto ys = ct::partition_view{ct::tensor_span{x, ct::shape<M, M>{}}, ct::shape<32, M>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, M>>>();
  for (int i = 0; i < M / 32; ++i)
    sum = ct::mma(xs.load(0, i), ys.load(i, 0), sum);
  ct::partition_view{ct::tensor_span{x, ct::shape<M, M>{}}, ct::shape<M, M>{}}.store(
      ct::element_cast<bf16>(sum), 0, 0);
}

// What is stored twice, the second time 64 rows further down.
__tile_global__ void twice(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           float *__restrict__ c) {
  constexpr int M = 256;
  auto as = ct::partition_view{ct::tensor_span{a, ct::shape<M, M>{}}, ct::shape<M, 32>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::shape<M, M>{}}, ct::shape<32, M>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, M>>>();
  for (int i = 0; i < M / 32; ++i)
    sum = ct::mma(as.load(0, i), bs.load(i, 0), sum);
  for (int down : {0, 64})
    ct::partition_view{ct::tensor_span{c + down * M, ct::shape<M, M>{}}, ct::shape<M, M>{}}.store(
        sum, 0, 0);
}

double a_at(std::size_t i) { return double(int(i * 7 % 11) - 5) / 4; }
double b_at(std::size_t i) { return double(int(i * 5 % 13) - 6) / 4; }

template <int M, int N, bool Turned, class T = bf16, class S = float>
void check(const char *name, int m, int n, int k) {
  run::array<T> a(m * k + 1, a_at), b(n * k + 1, b_at);
  run::array<S> c(m * n);
  multiply<T, S, M, N, Turned><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(a, b, c, m, n, k);
  run::expect(name, c, [&](std::size_t i) {
    double sum = 1;
    for (int e = 0; e < k; ++e)
      sum += a_at(i / n * k + e) * b_at(Turned ? i % n * k + e : std::size_t(e) * n + i % n);
    return std::fmax(sum / 2, -4);
  });
}

template <class B> double product(std::size_t i, B b) {
  double sum = 0;
  for (int e = 0; e < 256; ++e)
    sum += a_at(i / 256 * 256 + e) * b(e * 256 + i % 256);
  return sum;
}

template <int M, int N, bool Turned> void check_batches(const char *name, int m, int n, int k) {
  constexpr int count = 2;
  run::array<bf16> a(count * m * k, a_at), b(count * n * k, b_at);
  run::array<float> c(count * m * n);
  batches<M, N, Turned><<<dim3((n + N - 1) / N, (m + M - 1) / M, count), 1>>>(a, b, c, m, n, k);
  run::expect(name, c, [&](auto i) {
    const int z = i / (m * n), row = i / n % m, column = i % n;
    double sum = 1;
    for (int l = 0; l < k; ++l)
      sum += a_at((z * m + row) * k + l) *
             b_at(Turned ? (z * n + column) * k + l : (z * k + l) * n + column);
    return 2 * sum;
  });
}

int main() {
  check<256, 256, false>("square", 256, 256, 64);
  check<256, 256, true>("turned", 200, 300, 40);
  check<256, 256, false>("nothing", 10, 10, 0);
  check<128, 512, true>("wide", 130, 520, 33);
  check<512, 128, false>("high", 520, 130, 33);
  check<256, 256, false, double, double>("doubles", 100, 256, 10);
  check<256, 256, true, float, float>("floats", 256, 130, 10);
  check_batches<256, 256, false>("batches", 260, 300, 72);
#ifdef ALL_CASES
  check_batches<256, 256, true>("turned batches", 260, 300, 72);
  check_batches<128, 512, false>("wide batches", 130, 520, 40);
  check_batches<512, 128, false>("high batches", 520, 136, 40);
#endif
  check_batches<128, 512, true>("wide turned batches", 130, 520, 40);
  run::array<bf16> x(256 * 256, a_at), y(256 * 256, a_at), b(256 * 256, b_at);
  in_place<<<1, 1>>>(x, b);
  run::expect("in place", x, [](auto i) { return product(i, b_at); });
  square_in_place<<<1, 1>>>(y);
  run::expect("square in place", y, [](auto i) { return product(i, a_at); });
  run::array<bf16> a(256 * 256, a_at);
  run::array<float> c(320 * 256);
  twice<<<1, 1>>>(a, b, c);
  run::expect("twice", c, [](auto i) { return product(i < 64 * 256 ? i : i - 64 * 256, b_at); });
  run::array<bf16> d(256 * 256, b_at);
  run::array<float> first(256 * 256), second(256 * 256);
  both<<<1, 1>>>(a, b, d, first, second);
  run::expect("first of both", first, [](auto i) { return product(i, b_at); });
  run::expect("second of both", second, [](auto i) {
    double sum = 0;
    for (int e = 0; e < 256; ++e)
      sum += b_at(i / 256 * 256 + e) * b_at(e * 256 + i % 256);
    return sum;
  });
  return run::finish();
}
