// Products of rows at any address: what is copied ahead lies among aligned groups of 16 bytes and
// is shifted when it is due. Rows of any length and distance, arrays that begin anywhere, rows and
// columns that are cut, fewer elements of K than a stage has; rows that are aligned but for their
// number of elements, and some of one factor only.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

template <class T> __tile__ auto rows_of(const T *p, int rows, int columns, int pitch) {
  auto mapping = ct::layout_strided_mapping{ct::extents{rows, columns},
                                            ct::strides{pitch, ct::integral_constant<1>{}}};
  return ct::tensor_span{p, mapping};
}

template <class T, int M, int N, int K>
__tile_global__ void product(const T *__restrict__ a, const T *__restrict__ b,
                             float *__restrict__ c, int m, int n, int k, int pitch_a, int pitch_b) {
  auto as = ct::partition_view{rows_of(a, m, k, pitch_a), ct::shape<M, K>{}};
  auto bs = ct::partition_view{rows_of(b, k, n, pitch_b), ct::shape<K, N>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i)
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  cs.store_masked(sum, row, column);
}

// Bytes; rows of b along K. Boxes begin anywhere in a row, too.
template <int M, int N, int K>
__tile_global__ void bytes(const signed char *__restrict__ a, const signed char *__restrict__ b,
                           int *__restrict__ c, int m, int n, int k) {
  auto as = ct::partition_view{rows_of(a, m, k, k), ct::shape<M, K>{}};
  auto bs = ct::partition_view{rows_of(b, n, k, k), ct::shape<N, K>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  auto sum = ct::zeros<ct::tile<int, ct::shape<M, N>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i)
    sum = ct::mma(as.load_masked(0, i), ct::transpose(bs.load_masked(0, i)), sum);
  cs.store_masked(sum, 0, 0);
}

// A factor in another shape than what is read: some matrices, one behind the other; and one that is
// computed of what is copied.
template <int M, int N, int K>
__tile_global__ void batch(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           float *__restrict__ c, int count, int m, int n, int k) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{count, m, k}}, ct::shape<1, M, K>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{count, k, n}}, ct::shape<1, K, N>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{count, m, n}}, ct::shape<1, M, N>{}};
  const int which = ct::bid().z;
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    auto left = ct::reshape(as.load_masked(which, 0, i), ct::shape<M, K>{});
    auto right = ct::reshape(bs.load_masked(which, i, 0), ct::shape<K, N>{});
    sum = ct::mma(ct::max(left, bf16(0.0f)), right, sum);
  }
  cs.store_masked(ct::reshape(sum, ct::shape<1, M, N>{}), which, 0, 0);
}

// Where an array of a test begins, and how far its rows are from one another.
struct rows {
  int from, pitch;
};

double b_at(std::size_t i) { return run::small(i + 77); }

template <class T, int M, int N, int K> void expect(int m, int n, int k, rows a, rows b) {
  run::array<T> x(a.from + std::size_t(m) * a.pitch + 1, run::small),
      y(b.from + std::size_t(k) * b.pitch + 1, b_at);
  run::array<float> z(std::size_t(m) * n, [](std::size_t) { return -1; });
  std::vector<float> wanted(z.size);
  for (int i = 0; i < m; ++i)
    for (int l = 0; l < k; ++l)
      for (int j = 0; j < n; ++j)
        wanted[i * n + j] +=
            float(run::small(a.from + i * a.pitch + l)) * float(b_at(b.from + l * b.pitch + j));
  const dim3 grid((n + N - 1) / N, (m + M - 1) / M);
  product<T, M, N, K>
      <<<grid, 1>>>(x.device + a.from, y.device + b.from, z, m, n, k, a.pitch, b.pitch);
  char name[96];
  std::snprintf(name, sizeof name, "%dx%dx%d of %dx%dx%d, rows %d+%d, %d+%d", M, N, K, m, n, k,
                a.from, a.pitch, b.from, b.pitch);
  run::expect(name, z, [&](std::size_t i) { return wanted[i]; });
}

signed char byte_at(std::size_t i) { return static_cast<signed char>(8 * run::small(i)); }

void expect_bytes(int m, int n, int k, int from) {
  run::array<signed char> x(std::size_t(m) * k + from, byte_at),
      y(std::size_t(n) * k + from, [](std::size_t i) { return byte_at(i + 5); });
  run::array<int> z(std::size_t(m) * n);
  bytes<64, 64, 64><<<1, 1>>>(x.device + from, y.device + from, z, m, n, k);
  run::expect("bytes", z, [&](std::size_t i) {
    int sum = 0;
    for (int l = 0; l < k; ++l)
      sum += byte_at(from + i / n * k + l) * byte_at(5 + from + i % n * k + l);
    return sum;
  });
}

void expect_batch(int count, int m, int n, int k) {
  run::array<bf16> x(std::size_t(count) * m * k, run::small), y(std::size_t(count) * k * n, b_at);
  run::array<float> z(std::size_t(count) * m * n);
  batch<64, 64, 64><<<dim3(1, 1, count), 1>>>(x, y, z, count, m, n, k);
  run::expect("batch", z, [&](std::size_t i) {
    const std::size_t which = i / (m * n), row = i / n % m, column = i % n;
    double sum = 0;
    for (int l = 0; l < k; ++l)
      sum += std::fmax(run::small((which * m + row) * k + l), 0.0) *
             b_at((which * k + l) * n + column);
    return sum;
  });
}

int main() {
  // Every distance from an aligned group, of the first row and of the others.
  for (int from = 0; from < 8; ++from)
    expect<bf16, 64, 64, 64>(3, 5, 70 + from, {from, 70 + from}, {7 - from, 6 + from});
  for (int k : {1, 7, 8, 9, 63, 64, 65, 129})
    expect<bf16, 64, 64, 64>(5, 9, k, {1, k}, {0, 9});
  expect<bf16, 64, 64, 64>(70, 67, 200, {0, 201}, {0, 72}); // one factor
  expect<bf16, 64, 64, 64>(65, 63, 195, {0, 200}, {8, 64}); // aligned, but cut
  expect<bf16, 128, 128, 64>(129, 131, 193, {3, 193}, {5, 131});
  expect<__half, 128, 256, 64>(100, 201, 131, {1, 133}, {0, 201});
#ifdef ALL_CASES
  expect<__half, 64, 256, 32>(61, 255, 100, {0, 101}, {2, 255});
  expect<bf16, 32, 16, 64>(33, 17, 150, {0, 151}, {1, 17});
#endif
  expect<bf16, 16, 32, 128>(17, 33, 300, {2, 301}, {1, 35});
  for (int k : {5, 64, 131, 200})
    expect_bytes(61, 63, k, k % 4);
  expect_batch(2, 61, 63, 129);
  return run::finish();
}
