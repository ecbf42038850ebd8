// Factors that a loop computes of what it reads: scaled, activated, dequantised; the first, the
// second or both of a multiply, transposed, with scales of their own, in tiles whose rows are
// masked, in loops that do not run; reads that are used besides.
#include "run.h"
#include <cuda_fp8.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

template <int M, int N> using product = ct::tile<float, ct::shape<M, N>>;

template <int Rows, int Columns, class T> __tile__ auto tiles_of(T *p, int height, int width) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{height, width}},
                            ct::shape<Rows, Columns>{}};
}

// c = relu(2 x) y: the first factor is computed.
template <int M, int N, int K, class T>
__tile_global__ void first(const T *x, const T *y, float *c, int m, int n, int k) {
  auto xs = tiles_of<M, K>(x, m, k);
  auto ys = tiles_of<K, N>(y, k, n);
  auto sum = ct::zeros<product<M, N>>();
  for (int i = 0; i < (k + K - 1) / K; ++i) {
    auto a = ct::element_cast<float>(xs.load_masked(ct::bid().y, i)) * 2.0f;
    sum = ct::mma(ct::element_cast<T>(ct::max(a, 0.0f)), ys.load_masked(i, ct::bid().x), sum);
  }
  tiles_of<M, N>(c, m, n).store_masked(sum, ct::bid().y, ct::bid().x);
}

// c = x y' * scale: weights of eight bits with a scale for each column of a block of K rows.
template <int M, int N, int K> __tile_global__ void
second(const bf16 *x, const signed char *y, const float *scales, float *c, int m, int n, int k) {
  auto xs = tiles_of<M, K>(x, m, k);
  auto ys = tiles_of<K, N>(y, k, n);
  auto ss = tiles_of<1, N>(scales, (k + K - 1) / K, n);
  auto sum = ct::zeros<product<M, N>>();
  for (int i = 0; i < (k + K - 1) / K; ++i) {
    auto b =
        ct::element_cast<float>(ys.load_masked(i, ct::bid().x)) * ss.load_masked(i, ct::bid().x);
    sum = ct::mma(xs.load_masked(ct::bid().y, i), ct::element_cast<bf16>(b), sum);
  }
  tiles_of<M, N>(c, m, n).store_masked(sum, ct::bid().y, ct::bid().x);
}

// Bytes in the first factor; of both the sum of what was read is taken, too.
template <int M, int N, int K> __tile_global__ void
both(const signed char *x, const bf16 *y, float *c, float *sums, int m, int n, int k) {
  auto xs = tiles_of<M, K>(x, m, k);
  auto ys = tiles_of<K, N>(y, k, n);
  auto sum = ct::zeros<product<M, N>>();
  auto rows = ct::zeros<product<M, 1>>();
  for (int i = 0; i < (k + K - 1) / K; ++i) {
    auto a = ct::element_cast<bf16>(xs.load_masked(ct::bid().y, i));
    auto b = ys.load_masked(i, ct::bid().x);
    rows = rows + ct::sum<1>(ct::element_cast<float>(a));
    sum = ct::mma(a, -b, sum);
  }
  tiles_of<M, N>(c, m, n).store_masked(sum, ct::bid().y, ct::bid().x);
  tiles_of<M, 1>(sums, m, 1).store_masked(rows, ct::bid().y, 0);
}

// Transposed on the way: c = (x + 1)^T (y / 2)^T.
template <int M, int N, int K>
__tile_global__ void transposed(const __half *x, const __half *y, float *c, int m, int n, int k) {
  auto xs = tiles_of<K, M>(x, k, m);
  auto ys = tiles_of<N, K>(y, n, k);
  auto sum = ct::zeros<product<M, N>>();
  for (int i = 0; i < (k + K - 1) / K; ++i)
    sum = ct::mma(ct::transpose(xs.load_masked(i, ct::bid().y) + __half(1.0f)),
                  ct::transpose(ys.load_masked(ct::bid().x, i) * __half(0.5f)), sum);
  tiles_of<M, N>(c, m, n).store_masked(sum, ct::bid().y, ct::bid().x);
}

// Two weights of four bits in a byte, for two multiplies of an iteration; a first factor that is
// computed in a branch of the loop stays where it is.
template <int M, int N, int K>
__tile_global__ void packed(const bf16 *x, const unsigned char *y, float *c, int m, int n, int k) {
  auto xs = tiles_of<M, K>(x, m, k);
  auto ys = tiles_of<K, N>(y, k / 2, n);
  auto sum = ct::zeros<product<M, N>>();
  for (int i = 0; i < k / (2 * K); ++i) {
    auto bytes = ys.load_masked(i, ct::bid().x);
    auto low = ct::element_cast<bf16>(ct::element_cast<float>(bytes & (unsigned char)15) - 8.0f);
    auto high = ct::element_cast<bf16>(ct::element_cast<float>(bytes >> (unsigned char)4) - 8.0f);
    auto a = xs.load_masked(ct::bid().y, 2 * i);
    if (i % 2)
      a = -a;
    sum = ct::mma(a, low, sum);
    sum = ct::mma(xs.load_masked(ct::bid().y, 2 * i + 1), high, sum);
  }
  tiles_of<M, N>(c, m, n).store_masked(sum, ct::bid().y, ct::bid().x);
}

// What is read and computed on is written by the loop: nothing may be read ahead.
__tile_global__ void written(bf16 *x, const bf16 *y, float *c, int k) {
  auto xs = tiles_of<64, 32>(x, 64, 32);
  auto ys = tiles_of<32, 64>(y, k, 64);
  auto sum = ct::zeros<product<64, 64>>();
  for (int i = 0; i < k / 32; ++i) {
    auto a = xs.load_masked(0, 0);
    sum = ct::mma(a + a, ys.load_masked(i, 0), sum);
    xs.store_masked(a + bf16(1.0f), 0, 0);
  }
  tiles_of<64, 64>(c, 64, 64).store_masked(sum, 0, 0);
}

// Elements of every kind: raw ones as they lie in memory, and a mask; a row for all rows; in views
// of three dimensions and one.
template <class T, int M, int N, int K>
__tile_global__ void elements(const T *x, const bool *keeps, const float *row, const __half *y,
                              float *c, int m, int n, int k) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{1, m, k}}, ct::shape<1, M, K>{}};
  auto bs = tiles_of<M, K>(keeps, m, k);
  auto rs = ct::partition_view{ct::tensor_span{row, ct::extents{k}}, ct::shape<K>{}};
  auto ys = tiles_of<K, N>(y, k, n);
  auto sum = ct::zeros<product<M, N>>();
  for (int i = 0; i < (k + K - 1) / K; ++i) {
    auto a =
        ct::element_cast<float>(ct::reshape<ct::shape<M, K>>(xs.load_masked(0, ct::bid().y, i)));
    a = a + ct::reshape<ct::shape<1, K>>(rs.load_masked(i));
    a = ct::select(bs.load_masked(ct::bid().y, i), a, ct::zeros<product<M, K>>());
    sum = ct::mma(ct::element_cast<__half>(a), ys.load_masked(i, ct::bid().x), sum);
  }
  tiles_of<M, N>(c, m, n).store_masked(sum, ct::bid().y, ct::bid().x);
}

double x_at(std::size_t i) { return run::small(3 * i + 1); }
double y_at(std::size_t i) { return run::small(5 * i + 2); }
double byte_at(std::size_t i) { return double(int(i * 7 % 17)) - 8; }

template <class A, class B> auto matrix_product(int m, int n, int k, A a, B b) {
  std::vector<double> c(std::size_t(m) * n);
  for (int i = 0; i < m; ++i)
    for (int l = 0; l < k; ++l)
      for (int j = 0; j < n; ++j)
        c[std::size_t(i) * n + j] += a(i, l) * b(l, j);
  return c;
}

template <int M, int N, int K, class T> void check_first(const char *name, int m, int n, int k) {
  run::array<T> x(std::size_t(m) * k + 1, x_at), y(std::size_t(k) * n + 1, y_at);
  run::array<float> c(std::size_t(m) * n, [](auto) { return 3; });
  first<M, N, K, T><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(x, y, c, m, n, k);
  auto want = matrix_product(
      m, n, k, [&](int i, int l) { return std::fmax(2 * double(x[std::size_t(i) * k + l]), 0); },
      [&](int l, int j) { return double(y[std::size_t(l) * n + j]); });
  run::expect(name, c, [&](auto i) { return want[i]; });
}

template <int M, int N, int K> void check_second(const char *name, int m, int n, int k) {
  const int blocks = (k + K - 1) / K;
  run::array<bf16> x(std::size_t(m) * k, x_at);
  run::array<signed char> y(std::size_t(k) * n, byte_at);
  run::array<float> s(std::size_t(blocks) * n, [](auto i) { return double(1 << i % 3); });
  run::array<float> c(std::size_t(m) * n);
  second<M, N, K><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(x, y, s, c, m, n, k);
  auto want = matrix_product(
      m, n, k, [&](int i, int l) { return double(x[std::size_t(i) * k + l]); },
      [&](int l, int j) {
        return double(y[std::size_t(l) * n + j]) * double(s[std::size_t(l / K) * n + j]);
      });
  run::expect(name, c, [&](auto i) { return want[i]; });
}

template <int M, int N, int K> void check_both(const char *name, int m, int n, int k) {
  run::array<signed char> x(std::size_t(m) * k, byte_at);
  run::array<bf16> y(std::size_t(k) * n, y_at);
  run::array<float> c(std::size_t(m) * n), sums(m);
  both<M, N, K><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(x, y, c, sums, m, n, k);
  auto at = [&](int i, int l) { return double(x[std::size_t(i) * k + l]); };
  auto want =
      matrix_product(m, n, k, at, [&](int l, int j) { return -double(y[std::size_t(l) * n + j]); });
  run::expect(name, c, [&](auto i) { return want[i]; });
  auto rows = matrix_product(m, 1, k, at, [](int, int) { return 1.0; });
  run::expect("its sums", sums, [&](auto i) { return rows[i]; });
}

template <int M, int N, int K> void check_transposed(const char *name, int m, int n, int k) {
  run::array<__half> x(std::size_t(m) * k, x_at), y(std::size_t(k) * n, y_at);
  run::array<float> c(std::size_t(m) * n);
  transposed<M, N, K><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(x, y, c, m, n, k);
  // Behind the edge of x there are zeros, to which 1 is added, and zeros of y.
  auto want = matrix_product(
      m, n, k, [&](int i, int l) { return double(x[std::size_t(l) * m + i]) + 1; },
      [&](int l, int j) { return double(y[std::size_t(j) * k + l]) / 2; });
  run::expect(name, c, [&](auto i) { return want[i]; });
}

template <int M, int N, int K> void check_packed(const char *name, int m, int n, int k) {
  run::array<bf16> x(std::size_t(m) * k, x_at);
  run::array<unsigned char> y(std::size_t(k) / 2 * n, [](auto i) { return double(i * 37 % 256); });
  run::array<float> c(std::size_t(m) * n);
  packed<M, N, K><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(x, y, c, m, n, k);
  auto want = matrix_product(
      m, n, k,
      [&](int i, int l) {
        const bool negative = l / (2 * K) % 2 && l % (2 * K) < K;
        return (negative ? -1 : 1) * double(x[std::size_t(i) * k + l]);
      },
      [&](int l, int j) {
        const int byte = int(y[(std::size_t(l / (2 * K)) * K + l % K) * n + j]);
        return double(l % (2 * K) < K ? byte & 15 : byte >> 4) - 8;
      });
  run::expect(name, c, [&](auto i) { return want[i]; });
}

template <class T, int M, int N, int K> void check_elements(const char *name, int m, int n, int k) {
  run::array<T> x(std::size_t(m) * k, [](auto i) { return i * 3 % 5; });
  run::array<bool> keeps(std::size_t(m) * k, [](auto i) { return i % 3 != 1; });
  run::array<float> row(k, [](auto i) { return i % 7; });
  run::array<__half> y(std::size_t(k) * n, y_at);
  run::array<float> c(std::size_t(m) * n);
  elements<T, M, N, K><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(x, keeps, row, y, c, m, n, k);
  auto want = matrix_product(
      m, n, k,
      [&](int i, int l) {
        const std::size_t at = std::size_t(i) * k + l;
        return keeps[at] != 0 ? x[at] + row[l] : 0;
      },
      [&](int l, int j) { return double(y[std::size_t(l) * n + j]); });
  run::expect(name, c, [&](auto i) { return want[i]; });
}

int main() {
  check_first<64, 64, 64, bf16>("first, one warpgroup", 128, 128, 192);
  check_first<128, 128, 32, __half>("first, two warpgroups", 128, 128, 128);
  check_first<64, 64, 64, bf16>("first, ragged", 100, 72, 200);
  check_first<64, 64, 64, bf16>("first, odd rows", 65, 67, 61);
  check_first<32, 32, 32, __half>("first, small tiles", 40, 64, 96);
  check_first<64, 64, 64, bf16>("first, no turn", 64, 64, 0);
  check_first<64, 64, 64, bf16>("first, one turn", 64, 64, 40);
#ifdef ALL_CASES
  check_first<128, 256, 64, bf16>("first, wide", 128, 256, 128);
#endif
  check_second<64, 64, 64>("second, bytes", 64, 128, 192);
  check_second<64, 64, 64>("second, ragged", 70, 100, 80);
#ifdef ALL_CASES
  check_first<64, 128, 64, bf16>("first, one warpgroup, wide", 100, 72, 200);
  check_second<64, 128, 32>("second, wide", 70, 100, 80);
  check_both<128, 64, 32>("bytes first, two warpgroups", 130, 60, 70);
  check_transposed<64, 64, 64>("transposed, much of K", 64, 64, 128);
  check_packed<64, 128, 32>("two weights a byte, wide", 33, 80, 128);
#endif
  check_second<16, 32, 32>("second, few rows", 16, 64, 128);
  check_both<64, 64, 64>("bytes first", 64, 64, 192);
  check_both<64, 64, 64>("bytes first, ragged", 130, 60, 70);
  check_transposed<64, 64, 32>("transposed", 64, 64, 128);
  check_transposed<64, 64, 32>("transposed, ragged", 72, 40, 32);
  check_packed<64, 64, 32>("two weights a byte", 64, 64, 192);
  check_packed<64, 64, 32>("two weights a byte, ragged", 33, 80, 128);

#ifdef ALL_CASES
  check_elements<float, 64, 64, 32>("floats", 64, 64, 96);
#endif
  check_elements<double, 64, 64, 32>("doubles", 70, 48, 40);
  check_elements<signed char, 64, 64, 32>("bytes", 64, 64, 64);
  check_elements<unsigned short, 16, 32, 16>("words", 30, 32, 48);
  check_elements<__nv_fp8_e4m3, 64, 64, 64>("fp8", 64, 64, 128);
#ifdef ALL_CASES
  check_elements<long long, 64, 64, 16>("long integers", 64, 64, 48);
#endif

  run::array<bf16> x(64 * 32, x_at), y(96 * 64, y_at);
  std::vector<double> before(64 * 32);
  for (int i = 0; i < 64 * 32; ++i)
    before[i] = double(x[i]);
  run::array<float> c(64 * 64);
  written<<<1, 1>>>(x, y, c, 96);
  auto want = matrix_product(
      64, 64, 96, [&](int i, int l) { return 2 * (before[i * 32 + l % 32] + l / 32); },
      [&](int l, int j) { return double(y[std::size_t(l) * 64 + j]); });
  run::expect("written by the loop", c, [&](auto i) { return want[i]; });
  return run::finish();
}
