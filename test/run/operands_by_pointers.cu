// Factors that a loop reads by tiles of pointers for its multiplies: pointers that are worked out
// in every iteration and pointers that move on, masked and not, in rows that are aligned and rows
// that are not, gathered rows, padding that is not zero, turned factors, loops that do not run.
#include "run.h"
#include <string>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int M = 64, N = 64, K = 32;
template <class T, int Rows, int Columns> using matrix = ct::tile<T, ct::shape<Rows, Columns>>;

template <int Rows> __tile__ auto rows_from(int first) {
  return ct::iota<matrix<int, Rows, 1>>() + first;
}
template <int Columns> __tile__ auto columns_from(int first) {
  return ct::iota<matrix<int, 1, Columns>>() + first;
}

template <class Sum> __tile__ void write(float *c, Sum sum, int m, int n) {
  auto row = rows_from<M>(int(ct::bid().y) * M);
  auto column = columns_from<N>(int(ct::bid().x) * N);
  ct::store_masked(c + (row * n + column), sum, row < m && column < n);
}

// The pointers are worked out in every iteration. With Aligned the rows are known to be aligned.
template <bool Aligned, class T>
__tile_global__ void worked_out(const T *__restrict__ a, const T *__restrict__ b,
                                float *__restrict__ c, int m, int n, int k, int ka, int nb) {
  if constexpr (Aligned) {
    a = ct::assume_aligned<16>(a);
    b = ct::assume_aligned<16>(b);
    ka = ct::assume_divisible<8>(ka);
    nb = ct::assume_divisible<8>(nb);
    k = ct::assume_divisible<8>(k);
  }
  auto row = rows_from<M>(int(ct::bid().y) * M);
  auto column = columns_from<N>(int(ct::bid().x) * N);
  auto sum = ct::zeros<matrix<float, M, N>>();
  for (int i = 0; i < k; i += K) {
    auto along = columns_from<K>(i);
    auto down = rows_from<K>(i);
    auto x = ct::load_masked(a + (row * ka + along), row < m && along < k, T(0.0f));
    auto y = ct::load_masked(b + (down * nb + column), down < k && column < n, T(0.0f));
    sum = ct::mma(x, y, sum);
  }
  write(c, sum, m, n);
}

// The pointers move on; rows beyond the last begin again.
template <bool Aligned, class T>
__tile_global__ void moving(const T *__restrict__ a, const T *__restrict__ b, float *__restrict__ c,
                            int m, int n, int k, int ka, int nb) {
  if constexpr (Aligned) {
    a = ct::assume_aligned<16>(a);
    b = ct::assume_aligned<16>(b);
    ka = ct::assume_divisible<8>(ka);
    nb = ct::assume_divisible<8>(nb);
  }
  auto along = columns_from<K>(0);
  auto down = rows_from<K>(0);
  auto from_a = a + (rows_from<M>(int(ct::bid().y) * M) % m * ka + along);
  auto from_b = b + (down * nb + columns_from<N>(int(ct::bid().x) * N) % n);
  auto sum = ct::zeros<matrix<float, M, N>>();
  for (int i = 0; i < k; i += K) {
    auto x = ct::load_masked(from_a, along < k - i, T(0.0f));
    auto y = ct::load_masked(from_b, down < k - i, T(0.0f));
    sum = ct::mma(x, y, sum);
    from_a = from_a + K;
    from_b = from_b + K * nb;
  }
  write(c, sum, m, n);
}

// From the end of the depth to its beginning: pointers that move back, and a count downwards.
__tile_global__ void backwards(const __half *__restrict__ a, const __half *__restrict__ b,
                               float *__restrict__ c, int m, int n, int k) {
  auto along = columns_from<K>(k - K);
  auto down = rows_from<K>(k - K);
  auto from_a = a + (rows_from<M>(0) * k + along);
  auto from_b = b + (down * n + columns_from<N>(0));
  auto sum = ct::zeros<matrix<float, M, N>>();
  for (int left = k; left > 0; left -= K) {
    auto x = ct::load_masked(from_a, along >= k - left && rows_from<M>(0) < m, __half(0.0f));
    auto y = ct::load_masked(from_b, columns_from<N>(0) < n, __half(0.0f));
    sum = ct::mma(x, y, sum);
    from_a = from_a - K;
    from_b = from_b - K * n;
  }
  write(c, sum, m, n);
}

// Without masks, from rows in the order of a table; the other factor is turned.
__tile_global__ void gathered(const __half *__restrict__ a, const __half *__restrict__ b,
                              const int *__restrict__ order, float *__restrict__ c, int k) {
  auto from = ct::load(order + rows_from<M>(0));
  auto sum = ct::zeros<matrix<float, M, N>>();
  for (int i = 0; i < k; i += K) {
    auto x = ct::load(a + (from * k + columns_from<K>(i)));
    auto y = ct::load(b + (rows_from<N>(0) * k + columns_from<K>(i)));
    sum = ct::mma(x, ct::transpose(y), sum);
  }
  write(c, sum, M, N);
}

// Ones where the mask has no bit, and a mask that cuts through every group of neighbours.
__tile_global__ void padded(const __half *__restrict__ a, const __half *__restrict__ b,
                            float *__restrict__ c, int k) {
  a = ct::assume_aligned<16>(a);
  b = ct::assume_aligned<16>(b);
  k = ct::assume_divisible<8>(k);
  auto sum = ct::zeros<matrix<float, M, N>>();
  for (int i = 0; i < k; i += K) {
    auto along = columns_from<K>(i);
    auto x = ct::load_masked(a + (rows_from<M>(0) * k + along), along % 3 != 0, __half(1.0f));
    auto y = ct::load_masked(b + (rows_from<K>(i) * N + columns_from<N>(0)),
                             columns_from<N>(0) % 3 != 1 && rows_from<K>(i) < k, __half(0.0f));
    sum = ct::mma(x, y, sum);
  }
  write(c, sum, M, N);
}

// Indices that are carried along, and integers as factors.
__tile_global__ void carried(const signed char *__restrict__ a, const signed char *__restrict__ b,
                             int *__restrict__ c, int k) {
  auto place_a = rows_from<M>(0) * k + columns_from<K>(0);
  auto place_b = rows_from<N>(0) * k + columns_from<K>(0);
  auto sum = ct::zeros<matrix<int, M, N>>();
  for (int i = 0; i < k; i += K) {
    auto x = ct::load(a + place_a), y = ct::load(b + place_b);
    sum = ct::mma(x, ct::transpose(y), sum);
    place_a = place_a + K;
    place_b = K + place_b;
  }
  ct::store(c + (rows_from<M>(0) * N + columns_from<N>(0)), sum);
}

// A division by what is zero where the loop does not run.
__tile_global__ void divided(const __half *__restrict__ a, const __half *__restrict__ b,
                             float *__restrict__ c, int k, int each) {
  auto sum = ct::zeros<matrix<float, M, N>>();
  for (int i = 0; i < k; i += K) {
    auto along = columns_from<K>(i);
    auto x = ct::load(a + (rows_from<M>(0) * k + (along / each * each + along % each)));
    sum = ct::mma(x, ct::load(b + (rows_from<K>(i) * N + columns_from<N>(0))), sum);
  }
  write(c, sum, M, N);
}

// The row of a table in registers says where each step reads: there is none behind the last.
__tile_global__ void listed(const __half *__restrict__ a, const __half *__restrict__ b,
                            const int *__restrict__ places, float *__restrict__ c) {
  auto table = ct::load(places + ct::iota<matrix<int, 4, M>>());
  auto sum = ct::zeros<matrix<float, M, N>>();
  for (int i = 0; i < 4; ++i) {
    auto from = ct::reshape(ct::extract(table, ct::shape<1, M>{}, i, 0), ct::shape<M, 1>{});
    auto x = ct::load(a + (from * K + columns_from<K>(0)));
    auto y = ct::load(b + (rows_from<K>(i * K) * N + columns_from<N>(0)));
    sum = ct::mma(x, y, sum);
  }
  write(c, sum, M, N);
}

// The tiles of a result one after the other, in one block.
__tile_global__ void persistent(const __half *__restrict__ a, const __half *__restrict__ b,
                                float *__restrict__ c, int m, int n, int k) {
  for (int tile = 0; tile < (m + M - 1) / M; ++tile) {
    auto row = rows_from<M>(tile * M);
    auto from_a = a + (row * k + columns_from<K>(0));
    auto from_b = b + (rows_from<K>(0) * n + columns_from<N>(0));
    auto sum = ct::zeros<matrix<float, M, N>>();
    for (int i = 0; i < k; i += K) {
      auto x = ct::load_masked(from_a, row < m && columns_from<K>(i) < k, __half(0.0f));
      auto y = ct::load_masked(from_b, rows_from<K>(i) < k && columns_from<N>(0) < n, __half(0.0f));
      sum = ct::mma(x, y, sum);
      from_a = from_a + K;
      from_b = from_b + K * n;
    }
    ct::store_masked(c + (row * n + columns_from<N>(0)), sum, row < m && columns_from<N>(0) < n);
  }
}

// Tiles that leave no room for another block beside their ring: by pointers alone, and with the
// other factor from a view.
template <int Height, int Width, int Depth, bool IsView>
__tile_global__ void large(const __nv_bfloat16 *__restrict__ a, const __nv_bfloat16 *__restrict__ b,
                           float *__restrict__ c, int m, int n, int k) {
  using bf16 = __nv_bfloat16;
  auto row = rows_from<Height>(0);
  auto column = columns_from<Width>(0);
  auto from_b = b + (rows_from<Depth>(0) * n + column);
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<Depth, Width>{}};
  auto sum = ct::zeros<matrix<float, Height, Width>>();
  for (int i = 0; i < k; i += Depth) {
    auto along = columns_from<Depth>(i);
    auto x = ct::load_masked(a + (row * k + along), row < m && along < k, bf16(0.0f));
    if constexpr (IsView)
      sum = ct::mma(x, bs.load_masked(i / Depth, 0), sum);
    else
      sum = ct::mma(x, ct::load_masked(from_b, rows_from<Depth>(i) < k && column < n, bf16(0.0f)),
                    sum);
    from_b = from_b + Depth * n;
  }
  ct::store_masked(c + (row * n + column), sum, row < m && column < n);
}

template <class T> struct factors {
  run::array<T> a, b;
  factors(std::size_t sizeA, std::size_t sizeB)
      : a(sizeA, [](auto i) { return run::small(i * 7 + 1); }),
        b(sizeB, [](auto i) { return run::small(i * 5 + 3); }) {}
};

// `skip`: elements before the matrices, so that their rows are not aligned.
template <class T> void products(const char *name, int m, int n, int k, int ka, int nb, int skip) {
  factors<T> f(std::size_t(skip + m * ka + 8), std::size_t(skip + (k + 1) * nb + 8));
  const dim3 grid((n + N - 1) / N, (m + M - 1) / M);
  const bool aligned = ka % 8 == 0 && nb % 8 == 0 && k % 8 == 0 && skip % 8 == 0;
  auto check = [&](const char *form, auto launch) {
    run::array<float> c(std::size_t(m * n));
    launch(f.a.device + skip, f.b.device + skip, c.device);
    run::expect((std::string(name) + " " + form).c_str(), c, [&](auto i) {
      double sum = 0;
      for (int j = 0; j < k; ++j)
        sum += f.a[skip + int(i) / n * ka + j] * f.b[skip + j * nb + int(i) % n];
      return sum;
    });
  };
  check("worked out", [&](const T *a, const T *b, float *c) {
    worked_out<false><<<grid, 1>>>(a, b, c, m, n, k, ka, nb);
  });
  check("moving", [&](const T *a, const T *b, float *c) {
    moving<false><<<grid, 1>>>(a, b, c, m, n, k, ka, nb);
  });
  if (!aligned)
    return;
  check("worked out, aligned", [&](const T *a, const T *b, float *c) {
    worked_out<true><<<grid, 1>>>(a, b, c, m, n, k, ka, nb);
  });
  check("moving, aligned", [&](const T *a, const T *b, float *c) {
    moving<true><<<grid, 1>>>(a, b, c, m, n, k, ka, nb);
  });
}

int main() {
  products<__half>("whole", 64, 128, 160, 160, 128, 0);
  products<__half>("ragged", 70, 75, 104, 112, 80, 0);
  products<__half>("odd rows", 65, 67, 99, 101, 77, 0);
  products<__half>("from odd places", 64, 64, 96, 96, 64, 3);
  products<__half>("no depth", 64, 64, 0, 8, 64, 0);
  products<__half>("one turn", 64, 64, 24, 24, 64, 0);
  products<float>("floats", 65, 66, 70, 72, 80, 0);

  {
    factors<__half> f(2 * M * K, 4 * K * N);
    run::array<int> places(4 * M, [](auto i) { return int(i * 13 % (2 * M)); });
    run::array<float> c(M * N);
    listed<<<1, 1>>>(f.a, f.b, places, c);
    run::expect("listed", c, [&](auto i) {
      double sum = 0;
      for (int j = 0; j < 4 * K; ++j)
        sum += f.a[(j / K * M + i / N) * 13 % (2 * M) * K + j % K] * f.b[j * N + i % N];
      return sum;
    });
  }
  {
    constexpr int m = 150, n = 50, k = 72;
    factors<__half> f(m * k, k * n);
    run::array<float> c(m * n);
    persistent<<<1, 1>>>(f.a, f.b, c, m, n, k);
    run::expect("persistent", c, [&](auto i) {
      double sum = 0;
      for (int j = 0; j < k; ++j)
        sum += f.a[i / n * k + j] * f.b[j * n + i % n];
      return sum;
    });
  }
  {
    constexpr int m = 100, n = 120, k = 304;
    factors<__nv_bfloat16> f(m * k, k * n);
    auto check = [&](const char *name, auto kernel) {
      run::array<float> c(m * n);
      kernel(c);
      run::expect(name, c, [&](auto i) {
        double sum = 0;
        for (int j = 0; j < k; ++j)
          sum += f.a[i / n * k + j] * f.b[j * n + i % n];
        return sum;
      });
    };
    check("deep", [&](float *c) { large<128, 128, 128, false><<<1, 1>>>(f.a, f.b, c, m, n, k); });
    check("deep, with a view",
          [&](float *c) { large<128, 128, 128, true><<<1, 1>>>(f.a, f.b, c, m, n, k); });
    check("wide", [&](float *c) { large<128, 256, 64, false><<<1, 1>>>(f.a, f.b, c, m, n, k); });
    check("wide, with a view",
          [&](float *c) { large<128, 256, 64, true><<<1, 1>>>(f.a, f.b, c, m, n, k); });
  }
  {
    constexpr int m = 50, n = 64, k = 128;
    factors<__half> f(M * k, k * n);
    run::array<float> c(m * n);
    backwards<<<1, 1>>>(f.a, f.b, c, m, n, k);
    run::expect("backwards", c, [&](auto i) {
      double sum = 0;
      for (int j = 0; j < k; ++j)
        sum += f.a[i / n * k + j] * f.b[j * n + i % n];
      return sum;
    });
  }
  {
    constexpr int k = 128;
    factors<__half> f(M * k, N * k);
    run::array<int> order(M, [](auto i) { return int(i * 37 % M); });
    run::array<float> c(M * N);
    gathered<<<1, 1>>>(f.a, f.b, order, c, k);
    run::expect("gathered", c, [&](auto i) {
      double sum = 0;
      for (int j = 0; j < k; ++j)
        sum += f.a[i / N * 37 % M * k + j] * f.b[i % N * k + j];
      return sum;
    });
    run::array<float> d(M * N);
    padded<<<1, 1>>>(f.a, f.b, d, k);
    run::expect("padded", d, [&](auto i) {
      double sum = 0;
      for (int j = 0; j < k; ++j)
        sum += (j % 3 ? f.a[i / N * k + j] : 1.0) * (i % N % 3 != 1 ? f.b[j * N + i % N] : 0.0);
      return sum;
    });
    for (int depth : {0, k}) {
      run::array<float> e(M * N);
      divided<<<1, 1>>>(f.a, f.b, e, depth, depth / 4);
      run::expect(depth ? "divided" : "not divided", e, [&](auto i) {
        double sum = 0;
        for (int j = 0; j < depth; ++j)
          sum += f.a[i / N * k + j] * f.b[j * N + i % N];
        return sum;
      });
    }
  }
  {
    constexpr int k = 160;
    factors<signed char> f(M * k, N * k);
    run::array<int> c(M * N);
    carried<<<1, 1>>>(f.a, f.b, c, k);
    run::expect("carried", c, [&](auto i) {
      double sum = 0;
      for (int j = 0; j < k; ++j)
        sum += f.a[i / N * k + j] * f.b[i % N * k + j];
      return sum;
    });
  }
  return run::finish();
}
