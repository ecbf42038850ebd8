// Loops of multiplies that go around their ring of stages more than twice: what overwrites a stage
// while a multiply is still at work on it shows only where there are more iterations than stages
// and copies ahead of them. Tiles of one and of two warpgroups, of one block to an SM and of two;
// and a ring that lies where threads exchanged something before.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

template <int M, int N, int K> __tile_global__ void product(const bf16 *__restrict__ a,
                                                            const bf16 *__restrict__ b,
                                                            float *__restrict__ c, int n, int k) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{M, k}}, ct::shape<M, K>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<K, N>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i)
    sum = ct::mma(as.load_masked(0, i), bs.load_masked(i, 0), sum);
  ct::partition_view{ct::tensor_span{c, ct::extents{M, n}}, ct::shape<M, N>{}}.store_masked(sum, 0,
                                                                                            0);
}

template <int M, int N, int K> void expect(const char *name, int iterations) {
  const int n = N, k = iterations * K;
  run::array<bf16> a(std::size_t(M) * k, run::small), b(std::size_t(k) * n, run::small);
  run::array<float> c(std::size_t(M) * n);
  product<M, N, K><<<1, 1>>>(a.device, b.device, c.device, n, k);
  run::expect(name, c, [&](std::size_t at) {
    double sum = 0;
    for (int x = 0; x < k; ++x)
      sum += a[at / n * k + x] * b[std::size_t(x) * n + at % n];
    return sum;
  });
}

// The sum begins with what all rows and columns of the first tile add up to.
__tile_global__ void behind_a_sum(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                  float *__restrict__ c, int k) {
  constexpr int T = 64;
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{T, k}}, ct::shape<T, T>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, T}}, ct::shape<T, T>{}};
  auto first = ct::element_cast<float>(as.load_masked(0, 0));
  auto all = ct::sum(ct::sum(first, ct::integral_constant<1>{}), ct::integral_constant<0>{});
  auto sum = ct::zeros<ct::tile<float, ct::shape<T, T>>>() + all;
  for (int i = 0; i < ct::ceildiv(k, T); ++i)
    sum = ct::mma(as.load_masked(0, i), bs.load_masked(i, 0), sum);
  ct::partition_view{ct::tensor_span{c, ct::extents{T, T}}, ct::shape<T, T>{}}.store_masked(sum, 0,
                                                                                            0);
}

void expect_behind_a_sum() {
  constexpr int T = 64, k = 6 * T;
  run::array<bf16> a(T * k, run::small), b(k * T, run::small);
  run::array<float> c(T * T);
  behind_a_sum<<<1, 1>>>(a, b, c, k);
  double all = 0;
  for (int i = 0; i < T * T; ++i)
    all += a[i / T * k + i % T];
  run::expect("behind a sum", c, [&](std::size_t at) {
    double sum = all;
    for (int x = 0; x < k; ++x)
      sum += a[at / T * k + x] * b[x * T + at % T];
    return sum;
  });
}

int main() {
  expect<64, 64, 64>("one warpgroup", 20);
  expect<64, 32, 64>("eight stages", 20);
  expect<128, 64, 32>("steps", 21);
  expect<64, 64, 128>("deep", 12);
  expect_behind_a_sum();
  return run::finish();
}
