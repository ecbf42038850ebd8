// Products of bytes and fp8 by the instructions of a warp: all signs, operands along K and across
// it, from one instruction's tile to those of eight warps; loops with rings of copies and run-time
// extents, where the last step of K waits in registers; tiles that hang over the edges, rows at any
// address, sums that two products share, that overflow, and that are used otherwise.
#include "run.h"

#include <cuda_fp8.h>
#include <cuda_tile.h>

#include <cstdint>

namespace ct = cuda::tiles;
using s8 = signed char;
using u8 = unsigned char;
using e4m3 = __nv_fp8_e4m3;
using e5m2 = __nv_fp8_e5m2;

// The box (row, column) of a matrix of rows x columns, or of its transpose in memory.
template <int Rows, int Columns, bool Transposed, class T>
__tile__ auto box(const T *p, int rows, int columns, int row, int column) {
  if constexpr (Transposed)
    return ct::transpose(ct::partition_view{ct::tensor_span{p, ct::extents{columns, rows}},
                                            ct::shape<Columns, Rows>{}}
                             .load_masked(column, row));
  else
    return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}},
                              ct::shape<Rows, Columns>{}}
        .load_masked(row, column);
}

template <class A, class B, class Sum, int M, int N, int K, bool TransposeA, bool TransposeB>
__tile_global__ void multiply(const A *__restrict__ a, const B *__restrict__ b, Sum *__restrict__ c,
                              int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  auto sum = cs.load_masked(row, column);
  for (int i = 0; i < ct::ceildiv(k, K); ++i)
    sum = ct::mma(box<M, K, TransposeA>(a, m, k, row, i), box<K, N, TransposeB>(b, k, n, i, column),
                  sum);
  cs.store_masked(sum, row, column);
}

// One sum of two products, whose operands lie differently; and what else becomes of it.
template <class T, class Sum>
__tile_global__ void two_orders(const T *__restrict__ a, const T *__restrict__ b,
                                Sum *__restrict__ c, Sum *__restrict__ rows, int k) {
  constexpr int M = 32, N = 32, K = 32;
  auto sum = ct::zeros<ct::tile<Sum, ct::shape<M, N>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    sum = ct::mma(box<M, K, false>(a, M, k, 0, i), box<K, N, false>(b, k, N, i, 0), sum);
    sum = ct::mma(box<M, K, true>(a, M, k, 0, i), box<K, N, true>(b, k, N, i, 0), sum);
    sum = sum + sum;
  }
  ct::partition_view{ct::tensor_span{c, ct::shape<M, N>{}}, ct::shape<M, N>{}}.store(sum, 0, 0);
  ct::partition_view{ct::tensor_span{rows, ct::shape<M, 1>{}}, ct::shape<M, 1>{}}.store(
      ct::sum<1>(sum), 0, 0);
}

// The largest products, so often that an int wraps round.
__tile_global__ void overflow(int *c, int turns) {
  auto a = ct::full<ct::tile<s8, ct::shape<16, 32>>>(s8(-128));
  auto b = ct::full<ct::tile<s8, ct::shape<32, 16>>>(s8(-128));
  auto sum = ct::full<ct::tile<int, ct::shape<16, 16>>>(0x7ff00000);
  for (int i = 0; i < turns; ++i)
    sum = ct::mma(a, b, sum);
  ct::partition_view{ct::tensor_span{c, ct::shape<16, 16>{}}, ct::shape<16, 16>{}}.store(sum, 0, 0);
}

// All codes of a byte; of fp8 small numbers, whose products and sums are exact.
template <class T> double element(std::size_t i) {
  if constexpr (std::is_integral_v<T>)
    return double(static_cast<T>(i * 37 + (i >> 5) * 11));
  else
    return double(int(i * 11 % 15) - 7) / 4;
}

template <class A, class B, class Sum, int M, int N, int K, bool TransposeA, bool TransposeB>
void check(const char *name, int m, int n, int k) {
  run::array<A> a(m * k, element<A>);
  run::array<B> b(k * n, [](auto i) { return element<B>(i + 5); });
  run::array<Sum> c(m * n, [](auto i) { return double(i % 7); });
  multiply<A, B, Sum, M, N, K, TransposeA, TransposeB>
      <<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(a, b, c, m, n, k);
  run::expect(name, c, [&](std::size_t at) {
    const int row = int(at / n), column = int(at % n);
    double sum = double(at % 7);
    for (int i = 0; i < k; ++i)
      sum += double(a[TransposeA ? i * m + row : row * k + i]) *
             double(b[TransposeB ? column * k + i : i * n + column]);
    return sum;
  });
}

// Inside, over the edges with aligned rows, and with rows at any address.
template <class A, class B, class Sum, int M, int N, int K, bool TransposeA, bool TransposeB>
void check_extents(const char *name) {
  check<A, B, Sum, M, N, K, TransposeA, TransposeB>(name, 2 * M, N, 5 * K);
  check<A, B, Sum, M, N, K, TransposeA, TransposeB>(name, M + 16, N + 16, 2 * K + 16);
  check<A, B, Sum, M, N, K, TransposeA, TransposeB>(name, M + 3, 2 * N - 5, K + 7);
}

// Of the four orders of operands one for each size, so that each comes with some: all of them are
// asked for among all cases.
template <class A, class B, class Sum, int M, int N, int K, bool TransposeA, bool TransposeB>
void check_orders(const char *name) {
  check_extents<A, B, Sum, M, N, K, TransposeA, TransposeB>(name);
#ifdef ALL_CASES
  check_extents<A, B, Sum, M, N, K, !TransposeA, TransposeB>(name);
  check_extents<A, B, Sum, M, N, K, TransposeA, !TransposeB>(name);
  check_extents<A, B, Sum, M, N, K, !TransposeA, !TransposeB>(name);
#endif
}

template <class T, class Sum> void check_two_orders(const char *name) {
  constexpr int side = 32, k = 64;
  run::array<T> a(side * k, run::small), b(side * k, [](auto i) { return run::small(i + 9); });
  run::array<Sum> c(side * side), rows(side);
  two_orders<T, Sum><<<1, 1>>>(a, b, c, rows, k);
  auto wanted = [&](std::size_t row, std::size_t column) {
    double sum = 0;
    for (int i = 0; i < k; ++i) {
      sum += double(a[row * k + i]) * double(b[i * side + column]) +
             double(a[i * side + row]) * double(b[column * k + i]);
      if (i % side == side - 1)
        sum *= 2;
    }
    return sum;
  };
  run::expect(name, c, [&](std::size_t i) { return wanted(i / side, i % side); });
  run::expect(name, rows, [&](std::size_t row) {
    double sum = 0;
    for (int column = 0; column < side; ++column)
      sum += wanted(row, column);
    return sum;
  });
}

int main() {
  check_orders<u8, s8, int, 64, 64, 64, false, false>("u8 by s8, 64x64x64");
  check_orders<s8, s8, int, 64, 32, 128, true, false>("s8, 64x32x128");
  check_orders<e4m3, e4m3, float, 32, 32, 64, false, true>("e4m3, 32x32x64");
  check<s8, s8, int, 128, 128, 64, false, false>("s8, 128x128x64", 128, 144, 256);
  check<s8, u8, int, 128, 128, 64, false, false>("s8 by u8, 128x128x64", 128, 144, 256);
#if !defined LARGE_TILES_ALONE || defined ALL_CASES
  check_orders<s8, s8, int, 16, 8, 32, false, true>("s8, 16x8x32");
  check_orders<u8, u8, int, 16, 16, 32, true, false>("u8, 16x16x32");
  check_orders<s8, u8, int, 32, 64, 64, true, true>("s8 by u8, 32x64x64");
  check_orders<s8, s8, int, 16, 256, 32, false, false>("s8, 16x256x32");
  check_orders<e5m2, e5m2, float, 16, 64, 32, true, true>("e5m2, 16x64x32");
  check<u8, s8, int, 8, 8, 16, false, false>("u8 by s8, 8x8x16", 20, 12, 40);
  check_two_orders<s8, int>("s8 in two orders");
  check_two_orders<e4m3, float>("e4m3 in two orders");
  run::array<int> c(256);
  overflow<<<1, 1>>>(c, 20);
  run::expect("overflow", c,
              [](auto) { return double(std::int32_t(0x7ff00000u + 20u * 32u * 128u * 128u)); });
#endif
  return run::finish();
}
