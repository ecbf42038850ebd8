// Products whose operands are computed on behind their transposition: floats that become tf32 (in
// bulk copies, in place, and cut off), weights of bytes that are widened and scaled, in batches,
// from views whose memory runs along the first dimension; tiles that hang over the edges.
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <bool IsCut, class Tile> __tile__ auto operand(Tile x) {
  if constexpr (IsCut)
    return ct::element_cast<__nv_tf32>(x, ct::round_toward_zero_t{});
  else
    return ct::element_cast<__nv_tf32>(x);
}

template <int M, int N, int K, bool TransposeA, bool TransposeB, bool IsCut>
__tile_global__ void of_floats(const float *__restrict__ a, const float *__restrict__ b,
                               float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  auto left = [&](int i) {
    if constexpr (TransposeA)
      return ct::transpose(
          ct::partition_view{ct::tensor_span{a, ct::extents{k, m}}, ct::shape<K, M>{}}.load_masked(
              i, row));
    else
      return ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<M, K>{}}
          .load_masked(row, i);
  };
  auto right = [&](int i) {
    if constexpr (TransposeB)
      return ct::transpose(
          ct::partition_view{ct::tensor_span{b, ct::extents{n, k}}, ct::shape<N, K>{}}.load_masked(
              column, i));
    else
      return ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<K, N>{}}
          .load_masked(i, column);
  };
  for (int i = 0; i < ct::ceildiv(k, K); ++i)
    sum = ct::mma(operand<IsCut>(left(i)), operand<IsCut>(right(i)), sum);
  ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}}.store_masked(
      sum, row, column);
}

// b: N x K bytes, with one scale; what is below 0 counts as the other weights, negated.
template <int M, int N, int K>
__tile_global__ void of_weights(const __nv_bfloat16 *__restrict__ a,
                                const signed char *__restrict__ b,
                                const signed char *__restrict__ other, float *__restrict__ c,
                                float scale, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<M, K>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{n, k}}, ct::shape<N, K>{}};
  auto others = ct::partition_view{ct::tensor_span{other, ct::extents{n, k}}, ct::shape<N, K>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    auto x = ct::element_cast<float>(ct::transpose(bs.load_masked(column, i))) * scale;
    auto y = ct::element_cast<float>(ct::transpose(others.load_masked(column, i)));
    auto w = ct::element_cast<__nv_bfloat16>(ct::select(x < 0.0f, -y, x));
    sum = ct::mma(as.load_masked(row, i), w, sum);
  }
  ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}}.store_masked(
      sum, row, column);
}

// Memory of b runs along its first dimension.
template <int M, int N, int K>
__tile_global__ void of_columns(const float *__restrict__ a, const float *__restrict__ b,
                                float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<M, K>{}};
  ct::layout_left::mapping mapping{ct::extents{k, n}};
  auto bs = ct::partition_view{ct::tensor_span{b, mapping}, ct::shape<K, N>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i)
    sum = ct::mma(operand<false>(as.load_masked(row, i)), operand<false>(bs.load_masked(i, column)),
                  sum);
  ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}}.store_masked(
      sum, row, column);
}

template <bool TransposeA, bool TransposeB, class Kernel>
void check(const char *name, Kernel kernel, int side_m, int side_n, int m, int n, int k) {
  run::array<float> a(m * k, run::small), b(k * n, [](auto i) { return run::small(i + 99); });
  run::array<float> c(m * n);
  kernel<<<dim3((n + side_n - 1) / side_n, (m + side_m - 1) / side_m), 1>>>(a, b, c, m, n, k);
  run::expect(name, c, [&](std::size_t at) {
    const int row = int(at / n), column = int(at % n);
    double sum = 0;
    for (int i = 0; i < k; ++i)
      sum += a[TransposeA ? i * m + row : row * k + i] *
             b[TransposeB ? column * k + i : i * n + column];
    return sum;
  });
}

template <int M, int N, int K, bool TransposeA, bool TransposeB, bool IsCut>
void check_floats(const char *name) {
  auto kernel = of_floats<M, N, K, TransposeA, TransposeB, IsCut>;
  check<TransposeA, TransposeB>(name, kernel, M, N, 256, 256, 5 * K);
  check<TransposeA, TransposeB>(name, kernel, M, N, 2 * M + 4, N + 12, 3 * K - 4);
  check<TransposeA, TransposeB>(name, kernel, M, N, M + 1, 2 * N - 3, K + 3);
}

void check_weights(int m, int n, int k) {
  auto byte = [](std::size_t i) { return double(int(i * 11 % 15) - 7); };
  run::array<__nv_bfloat16> a(m * k, run::small);
  run::array<signed char> b(n * k, byte), other(n * k, [&](auto i) { return byte(i + 4); });
  run::array<float> c(m * n);
  of_weights<64, 64, 64><<<dim3((n + 63) / 64, (m + 63) / 64), 1>>>(a, b, other, c, 0.5f, m, n, k);
  run::expect("weights", c, [&](std::size_t at) {
    double sum = 0;
    for (int i = 0; i < k; ++i) {
      const std::size_t weight = at % n * k + i;
      sum += a[at / n * k + i] * (b[weight] < 0 ? -double(other[weight]) : b[weight] * 0.5);
    }
    return sum;
  });
}

int main() {
  check_floats<64, 64, 32, false, true, false>("rounded, NT");
  check_floats<64, 64, 32, true, true, false>("rounded, TT");
  check_floats<64, 32, 32, true, false, false>("rounded, TN");
#ifdef ALL_CASES
  check_floats<128, 64, 32, false, true, true>("cut off, NT");
  check_floats<32, 32, 16, false, true, false>("rounded, NT, 32 rows");
#endif
  check<false, true>("columns", of_columns<64, 64, 32>, 64, 64, 256, 128, 160);
  check<false, true>("columns at the edges", of_columns<64, 64, 32>, 64, 64, 100, 68, 60);
  check_weights(128, 128, 256);
  check_weights(65, 80, 96);
  return run::finish();
}
