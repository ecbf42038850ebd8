// targets: cpu,emulate,gpu
// arch: sm_80
// Loops of mma.sync whose copies do not branch where views are aligned, beside what else a loop may
// hold: two products of one sum, sums of their own, factors that are read twice, stores, pointers
// that move, bounds that are known when the kernel runs, a sum that goes through two loops; rows at
// distances of their own, of which one factor's or none are aligned.
#include "run.h"

#include <cuda_tile.h>
#if __has_include(<cuda_tf32.h>)
#include <cuda_tf32.h>
#endif

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;
constexpr int T = 64, K = 32; // of all tiles

template <class E> __tile__ auto rows_of(E *p, int rows, int columns, int pitch) {
  auto mapping = ct::layout_strided_mapping{ct::extents{rows, columns},
                                            ct::strides{pitch, ct::integral_constant<1>{}}};
  return ct::tensor_span{p, mapping};
}

// From turn `first` on, every `step`th.
template <class E> __tile_global__ void product(const E *__restrict__ a, const E *__restrict__ b,
                                                float *__restrict__ c, int m, int n, int k,
                                                int pitch_a, int pitch_b, int first, int step) {
  auto as = ct::partition_view{rows_of(a, m, k, pitch_a), ct::shape<T, K>{}};
  auto bs = ct::partition_view{rows_of(b, k, n, pitch_b), ct::shape<K, T>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<T, T>{}};
  auto sum = ct::ones<ct::tile<float, ct::shape<T, T>>>();
  for (int i = first; i < ct::ceildiv(k, K); i += step)
    sum = ct::mma(as.load_masked(0, i), bs.load_masked(i, 0), sum);
  cs.store_masked(sum, 0, 0);
}

// Rows of both factors end within a chunk, and something lies behind them.
__tile_global__ void both_along(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                float *__restrict__ c, int k, int pitch) {
  auto as = ct::partition_view{rows_of(a, T, k, pitch), ct::shape<T, K>{}};
  auto bs = ct::partition_view{rows_of(b, T, k, pitch), ct::shape<T, K>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{T, T}}, ct::shape<T, T>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<T, T>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i)
    sum = ct::mma(as.load_masked(0, i), ct::transpose(bs.load_masked(0, i)), sum);
  cs.store_masked(sum, 0, 0);
}

// Boxes from an element on.
__tile_global__ void from_within(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                 float *__restrict__ c, int k, int pitch, int first) {
  using ct::integral_constant;
  auto as = ct::strided_view{rows_of(a, T, k, pitch), ct::shape<T, K>{},
                             ct::strides{integral_constant<T>{}, integral_constant<1>{}}};
  auto bs = ct::strided_view{rows_of(b, T, k, pitch), ct::shape<T, K>{},
                             ct::strides{integral_constant<T>{}, integral_constant<1>{}}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<T, T>>>();
  for (int i = first; i < k; i += K)
    sum = ct::mma(as.load_masked(0, i), ct::transpose(bs.load_masked(0, i)), sum);
  ct::partition_view{ct::tensor_span{c, ct::extents{T, T}}, ct::shape<T, T>{}}.store(sum, 0, 0);
}

void check_both_along(int k, int pitch, int first = 0) {
  run::array<bf16> a(T * pitch, [](auto i) { return run::small(i); }),
      b(T * pitch, [](auto i) { return run::small(i + 5); });
  run::array<float> c(T * T);
  if (first)
    from_within<<<1, 1>>>(a, b, c, k, pitch, first);
  else
    both_along<<<1, 1>>>(a, b, c, k, pitch);
  run::expect(first ? "from within" : "both along K", c, [&](auto i) {
    double sum = 0;
    for (int e = first; e < k; ++e)
      sum += a[i / T * pitch + e] * b[i % T * pitch + e];
    return sum;
  });
}

// Two products a turn, of one sum: of tiles that are large enough to take turns in one ring, and of
// smaller ones.
template <int T, int K>
__tile_global__ void pairs(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           float *__restrict__ c, int m, int n, int k, int pitch_a, int pitch_b) {
  auto as = ct::partition_view{rows_of(a, m, k, pitch_a), ct::shape<T, K>{}};
  auto bs = ct::partition_view{rows_of(b, k, n, pitch_b), ct::shape<K, T>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<T, T>{}};
  auto sum = ct::ones<ct::tile<float, ct::shape<T, T>>>();
  for (int i = 0; i < ct::ceildiv(k, 2 * K); ++i) {
    sum = ct::mma(as.load_masked(0, 2 * i), bs.load_masked(2 * i, 0), sum);
    sum = ct::mma(as.load_masked(0, 2 * i + 1), bs.load_masked(2 * i + 1, 0), sum);
  }
  cs.store_masked(sum, 0, 0);
}

// Two sums, each of its own products.
__tile_global__ void two_sums(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k, int pitch_a,
                              int pitch_b) {
  auto as = ct::partition_view{rows_of(a, m, k, pitch_a), ct::shape<T, K>{}};
  auto bs = ct::partition_view{rows_of(b, k, n, pitch_b), ct::shape<K, T>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<T, T>{}};
  auto sum = ct::ones<ct::tile<float, ct::shape<T, T>>>(), other = sum - 1.0f;
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    auto left = as.load_masked(0, i);
    auto right = bs.load_masked(i, 0);
    sum = ct::mma(left, right, sum);
    other = ct::mma(left, -right, other);
  }
  cs.store_masked(sum - other, 0, 0);
}

// A factor that is multiplied and added up; what is known of it goes out in every turn.
__tile_global__ void read_twice(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                float *__restrict__ c, float *__restrict__ sums, int m, int n,
                                int k, int pitch_a, int pitch_b) {
  auto as = ct::partition_view{rows_of(a, m, k, pitch_a), ct::shape<T, K>{}};
  auto bs = ct::partition_view{rows_of(b, k, n, pitch_b), ct::shape<K, T>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<T, T>{}};
  auto sum = ct::ones<ct::tile<float, ct::shape<T, T>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    auto left = as.load_masked(0, i);
    sum = ct::mma(left, bs.load_masked(i, 0), sum);
    ct::store(sums + i * T + ct::iota<ct::tile<int, ct::shape<T>>>(),
              ct::reshape(ct::sum(ct::element_cast<float>(left), ct::integral_constant<1>{}),
                          ct::shape<T>{}));
  }
  cs.store_masked(sum, 0, 0);
}

// A store of the turn's number beside the product.
__tile_global__ void stores(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                            float *__restrict__ c, int *__restrict__ turns, int m, int n, int k,
                            int pitch_a, int pitch_b) {
  auto as = ct::partition_view{rows_of(a, m, k, pitch_a), ct::shape<T, K>{}};
  auto bs = ct::partition_view{rows_of(b, k, n, pitch_b), ct::shape<K, T>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<T, T>{}};
  auto sum = ct::ones<ct::tile<float, ct::shape<T, T>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    sum = ct::mma(as.load_masked(0, i), bs.load_masked(i, 0), sum);
    turns[i] = i + 1;
  }
  cs.store_masked(sum, 0, 0);
}

// Pointers that a loop moves along.
__tile_global__ void moved(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           float *__restrict__ c, int m, int n, int k, int pitch_a, int pitch_b) {
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<T, T>{}};
  auto sum = ct::ones<ct::tile<float, ct::shape<T, T>>>();
  for (int left = k; left > 0; left -= K) {
    auto as = ct::partition_view{rows_of(a, m, left, pitch_a), ct::shape<T, K>{}};
    auto bs = ct::partition_view{rows_of(b, left, n, pitch_b), ct::shape<K, T>{}};
    sum = ct::mma(as.load_masked(0, 0), bs.load_masked(0, 0), sum);
    a += K;
    b += long(K) * pitch_b;
  }
  cs.store_masked(sum, 0, 0);
}

// A sum that goes on in a second loop, within a loop whose turns have 0, 1, 2, ... of theirs.
__tile_global__ void triangle(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k, int pitch_a,
                              int pitch_b) {
  auto as = ct::partition_view{rows_of(a, m, k, pitch_a), ct::shape<T, K>{}};
  auto bs = ct::partition_view{rows_of(b, k, n, pitch_b), ct::shape<K, T>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<T, T>{}};
  auto sum = ct::ones<ct::tile<float, ct::shape<T, T>>>();
  const int turns = ct::ceildiv(k, K);
  for (int j = 0; j <= turns; ++j) {
    for (int i = 0; i < j; ++i)
      sum = ct::mma(as.load_masked(0, i), bs.load_masked(i, 0), sum);
    for (int i = j; i < turns; ++i)
      sum = ct::mma(as.load_masked(0, i), bs.load_masked(i, 0), sum);
  }
  cs.store_masked(sum, 0, 0);
}

#if __has_include(<cuda_tf32.h>)
__tile_global__ void tf32(const __nv_tf32 *__restrict__ a, const __nv_tf32 *__restrict__ b,
                          float *__restrict__ c, int m, int n, int k, int pitch_a, int pitch_b) {
  auto as = ct::partition_view{rows_of(a, m, k, pitch_a), ct::shape<T, K>{}};
  auto bs = ct::partition_view{rows_of(b, k, n, pitch_b), ct::shape<K, T>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<T, T>{}};
  auto sum = ct::ones<ct::tile<float, ct::shape<T, T>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i)
    sum = ct::mma(as.load_masked(0, i), bs.load_masked(i, 0), sum);
  cs.store_masked(sum, 0, 0);
}
#endif

struct problem {
  int m, n, k, pitch_a, pitch_b, shift; // of both arrays' begin, in elements
};

// `times`: how often each product is added up.
template <class E, class Launch> void check(const char *name, const problem &p, Launch launch,
                                            int times = 1, int first = 0, int step = 1) {
  run::array<E> a(p.m * p.pitch_a + p.shift, [](auto i) { return run::small(i); }),
      b(p.k * p.pitch_b + p.shift + 1, [](auto i) { return run::small(i + 5); });
  run::array<float> c(std::size_t(p.m) * p.n);
  launch(a.device + p.shift, b.device + p.shift, c.device);
  run::expect(name, c, [&](auto i) {
    double sum = 0;
    for (int turn = first; turn * K < p.k; turn += step)
      for (int e = turn * K; e < p.k && e < (turn + 1) * K; ++e)
        sum += a[i / p.n * p.pitch_a + e + p.shift] * b[e * p.pitch_b + i % p.n + p.shift];
    return 1 + times * sum;
  });
}

void check_all(const problem &p) {
  const auto [m, n, k, pa, pb, shift] = p;
  const int turns = (k + K - 1) / K;
  for (int first : {0, 2})
    for (int step : {1, 3})
      check<bf16>(
          "from some turn on", p,
          [&](auto *a, auto *b, float *c) {
            product<<<1, 1>>>(a, b, c, m, n, k, pa, pb, first, step);
          },
          1, first, step);
  check<__half>("half", p, [&](auto *a, auto *b, float *c) {
    product<<<1, 1>>>(a, b, c, m, n, k, pa, pb, 0, 1);
  });
  check<bf16>("two products of a sum", p,
              [&](auto *a, auto *b, float *c) { pairs<T, K><<<1, 1>>>(a, b, c, m, n, k, pa, pb); });
  check<bf16>("two large products of a sum", p, [&](auto *a, auto *b, float *c) {
    pairs<128, 64><<<1, 1>>>(a, b, c, m, n, k, pa, pb);
  });
  check<bf16>(
      "two sums", p,
      [&](auto *a, auto *b, float *c) { two_sums<<<1, 1>>>(a, b, c, m, n, k, pa, pb); }, 2);
  check<bf16>("pointers that move", p,
              [&](auto *a, auto *b, float *c) { moved<<<1, 1>>>(a, b, c, m, n, k, pa, pb); });
  check<bf16>(
      "loops in a loop", p,
      [&](auto *a, auto *b, float *c) { triangle<<<1, 1>>>(a, b, c, m, n, k, pa, pb); }, turns + 1);
  run::array<int> numbers(turns + 1);
  check<bf16>("stores", p, [&](auto *a, auto *b, float *c) {
    stores<<<1, 1>>>(a, b, c, numbers, m, n, k, pa, pb);
  });
  run::expect("turns", numbers, [&](int i) { return i < turns ? i + 1 : 0; });
  run::array<float> sums(turns * T + 1);
  check<bf16>("a factor that is read twice", p, [&](auto *a, auto *b, float *c) {
    read_twice<<<1, 1>>>(a, b, c, sums, m, n, k, pa, pb);
  });
  run::expect("its sums", sums, [&](int i) {
    double sum = 0;
    for (int e = i / T * K; e < k && e < (i / T + 1) * K && i % T < m; ++e)
      sum += run::small(i % T * pa + e + shift);
    return sum;
  });
#if __has_include(<cuda_tf32.h>)
  check<__nv_tf32>("tf32", p,
                   [&](auto *a, auto *b, float *c) { tf32<<<1, 1>>>(a, b, c, m, n, k, pa, pb); });
#endif
}

int main() {
  // Aligned; of no turn, of one, of some; cut.
  for (int k : {0, 24, 64, 168})
    check_all({64, 56, k, 176, 64, 0});
  // Distances of rows that nothing aligns: of a alone, of b alone; an odd number of columns; arrays
  // that begin anywhere.
  check_all({50, 64, 104, 107, 64, 0});
  check_all({50, 64, 104, 104, 67, 0});
  check_all({61, 33, 101, 104, 64, 0});
  check_all({64, 64, 96, 96, 64, 3});
  check_both_along(213, 216); // more turns than are copied before the loop
  check_both_along(224, 224);
  check_both_along(224, 224, 3);
  return run::finish();
}
