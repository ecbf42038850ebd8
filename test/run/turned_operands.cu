// Factors whose rows in memory run across K, of elements that the unit takes along K alone: bytes,
// fp8 and tf32, the first, the second or both; in loops and without, ragged, at places that are not
// aligned, scaled on the way, shared by two multiplies, in batches, in every size of a tile.
#include "run.h"
#include <cuda_fp8.h>
#if __has_include(<cuda_tf32.h>)
#include <cuda_tf32.h>
#endif
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <class Acc, int M, int N> using product = ct::tile<Acc, ct::shape<M, N>>;

template <int Rows, int Columns, class T> __tile__ auto tiles_of(T *p, int height, int width) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{height, width}},
                            ct::shape<Rows, Columns>{}};
}

// Box (row, column) of x (height, width), or of its transpose in memory.
template <int Rows, int Columns, bool Turned, class T>
__tile__ auto read(const T *x, int height, int width, int row, int column) {
  if constexpr (Turned)
    return ct::transpose(tiles_of<Columns, Rows>(x, width, height).load_masked(column, row));
  else
    return tiles_of<Rows, Columns>(x, height, width).load_masked(row, column);
}

// T in memory, U as factors; TransA: A is (k, m) in memory, TransB: B is (n, k).
template <class T, class U, class Acc, int M, int N, int K, bool TransA, bool TransB>
__tile_global__ void multiply(const T *a, const T *b, Acc *c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::zeros<product<Acc, M, N>>();
  for (int i = 0; i < (k + K - 1) / K; ++i)
    sum = ct::mma(ct::element_cast<U>(read<M, K, TransA>(a, m, k, row, i)),
                  ct::element_cast<U>(read<K, N, TransB>(b, k, n, i, column)), sum);
  tiles_of<M, N>(c, m, n).store_masked(sum, row, column);
}

// Without a loop.
template <class T, class Acc, int M, int N, int K, bool TransA>
__tile_global__ void once(const T *a, const T *b, Acc *c) {
  auto sum = ct::full<product<Acc, M, N>>(Acc(2));
  sum = ct::mma(read<M, K, TransA>(a, M, K, 0, 0), read<K, N, false>(b, K, N, 0, 0), sum);
  tiles_of<M, N>(c, M, N).store(sum, 0, 0);
}

// One B for two multiplies, turned, and as it lies for a third one: c = (x + 2 y) b + x b'.
template <int M, int K> __tile_global__ void shared(const signed char *x, const signed char *y,
                                                    const signed char *b, int *c, int m, int k) {
  auto sum = ct::zeros<product<int, M, K>>();
  for (int i = 0; i < (k + K - 1) / K; ++i) {
    auto first = read<M, K, false>(x, m, k, ct::bid().y, i);
    auto second = read<M, K, false>(y, m, k, ct::bid().y, i);
    auto factor = read<K, K, false>(b, k, K, i, 0);
    sum = ct::mma(first, factor, sum);
    sum = ct::mma(second + second, factor, sum);
    sum = ct::mma(first, ct::transpose(factor), sum);
  }
  tiles_of<M, K>(c, m, K).store_masked(sum, ct::bid().y, 0);
}

// Scaled on the way: c = a (b s), with a scale for each row of b.
template <int M, int N, int K> __tile_global__ void
scaled(const __nv_fp8_e4m3 *a, const float *b, const float *s, float *c, int m, int n, int k) {
  auto sum = ct::zeros<product<float, M, N>>();
  for (int i = 0; i < (k + K - 1) / K; ++i) {
    auto factor =
        read<K, N, false>(b, k, n, i, ct::bid().x) * tiles_of<K, 1>(s, k, 1).load_masked(i, 0);
    sum = ct::mma(read<M, K, false>(a, m, k, ct::bid().y, i),
                  ct::element_cast<__nv_fp8_e4m3>(factor), sum);
  }
  tiles_of<M, N>(c, m, n).store_masked(sum, ct::bid().y, ct::bid().x);
}

// Through pointers: no copy ahead.
template <int M, int N, int K>
__tile_global__ void gathered(const signed char *a, const signed char *b, int *c, int n, int k) {
  auto sum = ct::zeros<product<int, M, N>>();
  auto columns = ct::iota<ct::tile<int, ct::shape<1, N>>>() ^ 1;
  for (int i = 0; i < k / K; ++i) {
    auto rows = ct::iota<ct::tile<int, ct::shape<K, 1>>>() + i * K;
    sum = ct::mma(read<M, K, false>(a, M, k, 0, i),
                  ct::load_masked(b + (rows * n + columns), columns < n, (signed char)0), sum);
  }
  tiles_of<M, N>(c, M, n).store_masked(sum, 0, 0);
}

// Batches of matrices.
template <int B, int M, int N, int K>
__tile_global__ void batches(const signed char *a, const signed char *b, int *c, int k) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{B, M, k}}, ct::shape<B, M, K>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{B, k, N}}, ct::shape<B, K, N>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{B, M, N}}, ct::shape<B, M, N>{}};
  auto sum = ct::zeros<ct::tile<int, ct::shape<B, M, N>>>();
  for (int i = 0; i < k / K; ++i)
    sum = ct::mma(as.load(0, 0, i), bs.load(0, i, 0), sum);
  cs.store(sum, 0, 0, 0);
}

template <class T> double element(std::size_t i) {
  return std::is_integral_v<T> ? double(int(i * 11 % 15) - (std::is_signed_v<T> ? 7 : 0))
                               : double(int(i * 11 % 15) - 7) / 4;
}

template <class A, class B> auto matrix_product(int m, int n, int k, A a, B b) {
  std::vector<double> c(std::size_t(m) * n);
  for (int i = 0; i < m; ++i)
    for (int l = 0; l < k; ++l)
      for (int j = 0; j < n; ++j)
        c[std::size_t(i) * n + j] += a(i, l) * b(l, j);
  return c;
}

// `offset`: elements by which the factors are moved in memory.
template <class T, class U, class Acc, int M, int N, int K, bool TransA = false,
          bool TransB = false>
void check(const char *name, int m, int n, int k, int offset = 0) {
  run::array<T> a(std::size_t(m) * k + offset, element<T>),
      b(std::size_t(k) * n + offset, [](auto i) { return element<T>(i + 5); });
  run::array<Acc> c(std::size_t(m) * n, [](auto) { return 3; });
  multiply<T, U, Acc, M, N, K, TransA, TransB><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(
      a.device + offset, b.device + offset, c.device, m, n, k);
  auto want = matrix_product(
      m, n, k,
      [&](int i, int l) {
        return a[offset + (TransA ? std::size_t(l) * m + i : std::size_t(i) * k + l)];
      },
      [&](int l, int j) {
        return b[offset + (TransB ? std::size_t(j) * k + l : std::size_t(l) * n + j)];
      });
  run::expect(name, c, [&](auto i) { return want[i]; });
}

template <class T, class Acc, int M, int N, int K, bool TransA> void check_once(const char *name) {
  run::array<T> a(M * K, element<T>), b(K * N, [](auto i) { return element<T>(i + 5); });
  run::array<Acc> c(M * N);
  once<T, Acc, M, N, K, TransA><<<1, 1>>>(a.device, b.device, c.device);
  auto want = matrix_product(
      M, N, K, [&](int i, int l) { return a[TransA ? l * M + i : i * K + l]; },
      [&](int l, int j) { return b[l * N + j]; });
  run::expect(name, c, [&](auto i) { return 2 + want[i]; });
}

template <int M, int K> void check_shared(const char *name, int m, int k) {
  using T = signed char;
  run::array<T> x(std::size_t(m) * k, element<T>),
      y(std::size_t(m) * k, [](auto i) { return element<T>(i + 2); }),
      b(std::size_t(k) * K, [](auto i) { return element<T>(i + 5); });
  run::array<int> c(std::size_t(m) * K);
  shared<M, K><<<dim3(1, (m + M - 1) / M), 1>>>(x, y, b, c, m, k);
  auto at = [&](int l, int j) { return l < k ? b[std::size_t(l) * K + j] : 0; };
  auto want = matrix_product(
      m, K, k,
      [&](int i, int l) { return x[std::size_t(i) * k + l] + 2 * y[std::size_t(i) * k + l]; }, at);
  auto more = matrix_product(
      m, K, k, [&](int i, int l) { return x[std::size_t(i) * k + l]; },
      [&](int l, int j) { return at(l / K * K + j, l % K); });
  run::expect(name, c, [&](auto i) { return want[i] + more[i]; });
}

void check_others() {
  const int m = 100, n = 144, k = 200;
  using fp8 = __nv_fp8_e4m3;
  run::array<fp8> a(m * k, element<float>);
  run::array<float> b(k * n, [](auto i) { return double(int(i * 7 % 5) - 2); }),
      s(k, [](auto i) { return double(1 << i % 3); }), c(m * n);
  scaled<64, 128, 64><<<dim3(2, 2), 1>>>(a, b, s, c, m, n, k);
  auto want = matrix_product(
      m, n, k, [&](int i, int l) { return a[i * k + l]; },
      [&](int l, int j) { return b[l * n + j] * s[l]; });
  run::expect("scaled", c, [&](auto i) { return want[i]; });

  run::array<signed char> x(64 * 128, element<signed char>), y(128 * 60, element<signed char>);
  run::array<int> z(64 * 60);
  gathered<64, 64, 32><<<1, 1>>>(x, y, z, 60, 128);
  auto gatheredWant = matrix_product(
      64, 60, 128, [&](int i, int l) { return x[i * 128 + l]; },
      [&](int l, int j) { return y[l * 60 + (j ^ 1)]; });
  run::expect("gathered", z, [&](auto i) { return gatheredWant[i]; });

  run::array<signed char> p(2 * 64 * 64, element<signed char>),
      q(2 * 64 * 32, element<signed char>);
  run::array<int> r(2 * 64 * 32);
  batches<2, 64, 32, 32><<<1, 1>>>(p, q, r, 64);
  std::vector<double> batchesWant;
  for (int batch = 0; batch < 2; ++batch)
    for (double v : matrix_product(
             64, 32, 64, [&](int i, int l) { return p[(batch * 64 + i) * 64 + l]; },
             [&](int l, int j) { return q[(batch * 64 + l) * 32 + j]; }))
      batchesWant.push_back(v);
  run::expect("batches", r, [&](auto i) { return batchesWant[i]; });
}

int main() {
  using e4m3 = __nv_fp8_e4m3;
  using e5m2 = __nv_fp8_e5m2;
  using s8 = signed char;
  using u8 = unsigned char;
  check<s8, s8, int, 64, 64, 64>("bytes", 128, 128, 192);
  check<s8, s8, int, 128, 128, 128>("bytes, two warpgroups", 128, 128, 256);
  check<s8, s8, int, 64, 64, 64>("bytes, ragged", 100, 80, 144);
  check<s8, s8, int, 64, 64, 64>("bytes, odd", 67, 65, 71);
  check<s8, s8, int, 64, 64, 64>("bytes, moved", 64, 128, 128, 3);
  check<s8, s8, int, 64, 64, 64>("bytes, moved by words", 64, 64, 128, 4);
  check<s8, s8, int, 64, 64, 64>("bytes, no turn", 64, 64, 0);
  check<s8, s8, int, 64, 64, 64>("bytes, one turn", 64, 64, 40);
#ifdef ALL_CASES
  check<u8, u8, int, 64, 32, 128>("unsigned bytes", 64, 64, 256);
  check<s8, s8, int, 64, 16, 256>("bytes, much of K", 64, 32, 512);
  check<s8, s8, int, 128, 256, 64>("bytes, wide", 128, 256, 192);
  check<s8, s8, int, 64, 64, 64, true, true>("bytes, the other alone", 80, 96, 160);
  check<e4m3, e4m3, float, 64, 64, 64>("e4m3", 64, 128, 192);
  check<float, e5m2, float, 128, 64, 32, true, true>("e5m2 of floats, first turned", 130, 64, 96);
  check_once<e4m3, float, 128, 128, 256, true>("e4m3, no loop, large");
  check_shared<64, 64>("one factor for three", 64, 128);
#endif
  check<s8, s8, int, 64, 8, 32>("bytes, eight columns", 64, 16, 96);
  check<s8, s8, int, 64, 64, 64, true, false>("bytes, first turned", 80, 96, 160);
  check<e4m3, e4m3, float, 128, 128, 64>("e4m3, ragged", 130, 120, 100);
  check<e5m2, e5m2, float, 64, 32, 32, true, false>("e5m2, both", 64, 64, 128);
  check<e4m3, e4m3, float, 64, 64, 32, true, true>("e4m3, first turned", 96, 48, 48);
  check<float, e4m3, float, 64, 64, 64>("e4m3 of floats", 100, 72, 136);
  check<float, e4m3, float, 128, 128, 32, false, true>("e4m3 of floats, along K", 128, 140, 64);
#if __has_include(<cuda_tf32.h>)
#ifdef ALL_CASES
  check<float, __nv_tf32, float, 64, 64, 32>("tf32", 64, 128, 96);
  check<float, __nv_tf32, float, 64, 64, 64, true, true>("tf32, first turned", 61, 67, 71, 1);
#endif
  check<float, __nv_tf32, float, 128, 128, 32>("tf32, two warpgroups", 128, 128, 96);
  check<float, __nv_tf32, float, 64, 128, 16, true, false>("tf32, both, ragged", 70, 140, 44);
  check<float, __nv_tf32, float, 64, 8, 8>("tf32, smallest", 64, 8, 24);
#endif
  check_once<s8, int, 64, 64, 64, false>("bytes, no loop");
  check_once<e5m2, float, 64, 16, 32, true>("e5m2, no loop");
  check_shared<128, 32>("one factor for three, ragged", 100, 80);
  check_others();
  return run::finish();
}
