// Products of fp8 into floats whose sums need more bits than a tensor core of sm_90 keeps of them,
// about 14: it loses more than a per cent of a sum of 2048 products of one sign. Every 128 of K are
// promoted to floats; operands in shared memory and in registers, in both orders, in tiles of one
// block of promotion and of several.
#include "run.h"
#include <cuda_fp8.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <class T, int M, int N, int K, bool Scales, bool IsBTransposed>
__tile_global__ void product(const T *__restrict__ a, const T *__restrict__ b,
                             float *__restrict__ c, unsigned m, unsigned n, unsigned k) {
  a = ct::assume_aligned<16>(a), b = ct::assume_aligned<16>(b);
  m = ct::assume_divisible<16>(m), n = ct::assume_divisible<16>(n), k = ct::assume_divisible<16>(k);
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<M, K>{}};
  auto bs = ct::partition_view{
      ct::tensor_span{b, ct::extents{IsBTransposed ? n : k, IsBTransposed ? k : n}},
      ct::shape<IsBTransposed ? N : K, IsBTransposed ? K : N>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (int i = 0; i < int((k + K - 1) / K); ++i) {
    auto x = as.load_masked(row, i);
    if constexpr (Scales) // computed: in registers
      x = ct::element_cast<T>(ct::element_cast<float>(x) * 2.0f);
    if constexpr (IsBTransposed)
      sum = ct::mma(x, ct::permute(bs.load_masked(column, i), ct::dimension_map<1, 0>{}), sum);
    else
      sum = ct::mma(x, bs.load_masked(i, column), sum);
  }
  cs.store_masked(sum, row, column);
}

template <class T, int M, int N, int K, bool Scales, bool IsBTransposed>
void check(const char *name, unsigned m, unsigned n, unsigned k) {
  // 1 to 1.75 by quarters, which both types hold, and a few of 1/8.
  auto value = [](size_t i) { return i % 7 == 3 ? 0.125f : 1.0f + float(i * 5 % 4) / 4; };
  run::array<T> a(m * k, [&](size_t i) { return T(value(i)); });
  run::array<T> b(k * n, [&](size_t i) { return T(value(i + i / 97)); });
  run::array<float> c(m * n);
  product<T, M, N, K, Scales, IsBTransposed>
      <<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(a, b, c, m, n, k);
  run::expect(
      name, c,
      [&](size_t at) {
        const size_t i = at / n, j = at % n;
        double sum = 0;
        for (unsigned l = 0; l < k; ++l)
          sum += double(float(a.host[i * k + l])) *
                 double(float(b.host[IsBTransposed ? j * k + l : l * n + j]));
        return Scales ? 2 * sum : sum;
      },
      5e-4);
}

int main() {
  using e4m3 = __nv_fp8_e4m3;
  using e5m2 = __nv_fp8_e5m2;
  check<e4m3, 64, 64, 32, false, true>("64x64x32", 64, 64, 1024);
  check<e4m3, 128, 128, 128, false, true>("128x128x128", 128, 128, 2048);
  check<e4m3, 128, 256, 64, false, false>("128x256x64, B row-major", 128, 256, 1040);
  check<e4m3, 128, 64, 256, false, true>("128x64x256", 128, 64, 1024);
  check<e4m3, 128, 128, 64, true, true>("128x128x64, A computed", 128, 128, 1024);
  check<e4m3, 64, 64, 128, true, true>("64x64x128, A computed", 64, 64, 1024);
  check<e4m3, 64, 128, 256, true, false>("64x128x256, A computed, B row-major", 64, 128, 1040);
  check<e5m2, 256, 128, 128, false, true>("256x128x128 of e5m2", 256, 128, 512);
}
