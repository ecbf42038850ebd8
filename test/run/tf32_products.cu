// Products of floats that become tf32 on their way: rounded to the nearest by bulk copies, in place
// where rows or arrays are not aligned to 16 bytes, cut off by the unit; of row-major matrices as
// the transposed product of the transposed factors. Loops of no, one, an even and an odd number of
// turns, tiles that hang over the edges, a block alone on its SM and two. Tensor maps that the
// launch makes, and those of kernels that read where their factors are.
#include "run.h"

#include <cuda_tf32.h>
#include <cuda_tile.h>

#include <cstring>

namespace ct = cuda::tiles;

template <bool IsCut, class Tile> __tile__ auto factor(Tile x) {
  if constexpr (IsCut)
    return ct::element_cast<__nv_tf32>(x, ct::round_toward_zero_t{});
  else
    return ct::element_cast<__nv_tf32>(x);
}

template <int M, int N, int K, bool Transposed, bool IsCut>
__tile__ void add_product(const float *a, const float *b, float *c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<M, K>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  auto sum = cs.load_masked(row, column);
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    auto x = factor<IsCut>(as.load_masked(row, i));
    if constexpr (Transposed) {
      auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{n, k}}, ct::shape<N, K>{}};
      sum = ct::mma(x, ct::transpose(factor<IsCut>(bs.load_masked(column, i))), sum);
    } else {
      auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<K, N>{}};
      sum = ct::mma(x, factor<IsCut>(bs.load_masked(i, column)), sum);
    }
  }
  cs.store_masked(sum, row, column);
}

template <int M, int N, int K, bool Transposed, bool IsCut>
__tile_global__ void multiply(const float *__restrict__ a, const float *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k) {
  add_product<M, N, K, Transposed, IsCut>(a, b, c, m, n, k);
}

template <int M, int N, int K, bool Transposed, bool IsCut> __tile_global__ void
multiply_of(const float *const *__restrict__ factors, float *__restrict__ c, int m, int n, int k) {
  add_product<M, N, K, Transposed, IsCut>(factors[0], factors[1], c, m, n, k);
}

// The second of two products in turn is rounded, by tensor maps that the kernel makes.
__tile_global__ void in_turn(const float *const *__restrict__ factors,
                             const __nv_tf32 *const *__restrict__ rounded, float *__restrict__ c,
                             int m, int n, int k) {
  auto as =
      ct::partition_view{ct::tensor_span{factors[0], ct::extents{m, k}}, ct::shape<128, 32>{}};
  auto bs =
      ct::partition_view{ct::tensor_span{factors[1], ct::extents{n, k}}, ct::shape<128, 32>{}};
  auto us =
      ct::partition_view{ct::tensor_span{rounded[0], ct::extents{m, k}}, ct::shape<128, 32>{}};
  auto vs =
      ct::partition_view{ct::tensor_span{rounded[1], ct::extents{n, k}}, ct::shape<128, 32>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  for (int i = 0; i < ct::ceildiv(k, 32); ++i) {
    sum = ct::mma(us.load_masked(0, i), ct::transpose(vs.load_masked(0, i)), sum);
    sum = ct::mma(factor<false>(as.load_masked(0, i)),
                  ct::transpose(factor<false>(bs.load_masked(0, i))), sum);
  }
  ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<128, 128>{}}.store_masked(
      sum, 0, 0);
}

// One value rounded and cut, and as it is: the floats are needed, too.
__tile_global__ void both_ways(const float *__restrict__ a, const float *__restrict__ b,
                               float *__restrict__ c, float *__restrict__ sums, int n, int k) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{64, k}}, ct::shape<64, 32>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<32, 64>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  auto rows = ct::zeros<ct::tile<float, ct::shape<64, 1>>>();
  for (int i = 0; i < ct::ceildiv(k, 32); ++i) {
    auto x = as.load_masked(0, i);
    auto y = bs.load_masked(i, 0);
    sum = ct::mma(factor<false>(x), factor<false>(y), sum);
    sum = ct::mma(factor<true>(x), factor<true>(y), sum);
    rows = rows + ct::sum<1>(x);
  }
  ct::partition_view{ct::tensor_span{c, ct::extents{64, n}}, ct::shape<64, 64>{}}.store_masked(
      sum, 0, 0);
  ct::partition_view{ct::tensor_span{sums, ct::extents{64, 1}}, ct::shape<64, 1>{}}.store_masked(
      rows, 0, 0);
}

// Multiples of 2^-14 below 2, which tf32 holds to 2^-10: their products' sums are exact in double.
double element(std::size_t i) {
  const auto mixed = unsigned(i * 2654435761u) >> 9;
  return (double(mixed % 65536u) - 32768.0) / 16384.0;
}

double as_tf32(float x, bool is_cut) {
  unsigned bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits += is_cut ? 0 : 0xfff + (bits >> 13 & 1);
  bits &= ~0x1fffu;
  std::memcpy(&x, &bits, sizeof x);
  return double(x);
}

double before(std::size_t i) { return double(i % 7); }

// `off`: how many elements behind an aligned place the factors begin.
template <int M, int N, int K, bool Transposed, bool IsCut, bool IsOfList = false>
void check(const char *name, int m, int n, int k, int off = 0) {
  run::array<float> a(m * k + 4, element),
      b(k * n + 4, [](std::size_t i) { return element(i + 77); });
  run::array<float> c(m * n, before);
  const dim3 grid((n + N - 1) / N, (m + M - 1) / M);
  if constexpr (IsOfList) {
    run::array<const float *> factors(2, [&](auto i) { return i == 0 ? a + off : b + off; });
    multiply_of<M, N, K, Transposed, IsCut><<<grid, 1>>>(factors, c, m, n, k);
    cudaDeviceSynchronize();
  } else {
    multiply<M, N, K, Transposed, IsCut><<<grid, 1>>>(a + off, b + off, c, m, n, k);
  }
  run::expect(name, c, [&](std::size_t i) {
    const int row = int(i) / n, column = int(i) % n;
    double sum = before(i);
    for (int l = 0; l < k; ++l)
      sum += as_tf32(a[std::size_t(row * k + l + off)], IsCut) *
             as_tf32(b[std::size_t((Transposed ? column * k + l : l * n + column) + off)], IsCut);
    return sum;
  });
}

void check_in_turn(int k) {
  const int m = 70, n = 60;
  auto coarse = [](std::size_t i) { return as_tf32(float(element(i + 99)), false); };
  run::array<float> a(m * k, element), b(n * k, [](auto i) { return element(i + 77); }), c(m * n);
  run::array<__nv_tf32> u(m * k, [&](auto i) { return __nv_tf32(float(coarse(i))); }),
      v(n * k, [&](auto i) { return __nv_tf32(float(coarse(i + 7))); });
  run::array<const float *> factors(2, [&](auto i) { return i == 0 ? a.device : b.device; });
  run::array<const __nv_tf32 *> rounded(2, [&](auto i) { return i == 0 ? u.device : v.device; });
  in_turn<<<1, 1>>>(factors, rounded, c, m, n, k);
  run::expect("in turn", c, [&](std::size_t i) {
    double sum = 0;
    for (std::size_t l = 0, x = i / n * k, y = i % n * k; l < std::size_t(k); ++l)
      sum +=
          coarse(x + l) * coarse(y + l + 7) + as_tf32(a[x + l], false) * as_tf32(b[y + l], false);
    return sum;
  });
}

int main() {
  // The second factor runs across K.
  check<256, 128, 32, false, false>("alone, even", 256, 128, 64);
  check<256, 128, 32, false, false>("alone, odd", 256, 128, 96);
  check<256, 128, 32, false, true>("alone, one turn, cut", 260, 132, 32);
  check<256, 128, 32, false, false>("alone, many turns", 100, 40, 260);
  check<256, 128, 32, false, false>("alone, odd rows", 60, 33, 97);
  check<256, 128, 32, false, false>("alone, elsewhere", 60, 36, 100, 1);
  check<128, 128, 32, false, false>("two blocks", 130, 132, 100);
#ifdef ALL_CASES
  check<128, 128, 32, false, true>("two blocks, cut", 130, 132, 100);
  check<128, 256, 32, false, false>("many rows of B", 100, 260, 68);
  check<64, 128, 128, false, false>("deep, odd rows", 70, 131, 299);
  check<128, 128, 64, true, false>("along K, deep", 130, 132, 200);
#endif
  check<128, 128, 32, false, false>("two blocks, odd rows", 130, 131, 99);
  check<64, 64, 16, false, false>("small", 70, 68, 52);
  check<64, 64, 64, false, true>("deep, cut", 70, 68, 100);
  check<128, 128, 64, false, false>("deep", 130, 132, 200);
  check<128, 128, 64, false, false>("deep, many blocks", 260, 132, 132);
  check<256, 256, 64, false, false>("large, deep", 100, 260, 132);
  check<128, 128, 32, false, false, true>("of a list", 130, 132, 100);
  check<128, 128, 64, false, false, true>("of a list, odd rows", 70, 131, 99);
  check<64, 64, 32, false, false, true>("of a list, elsewhere", 60, 36, 100, 1);
  check<128, 64, 64, true, false, true>("of a list, along K", 130, 60, 100);
  check<128, 64, 64, true, false, true>("of a list, along K, elsewhere", 60, 36, 100, 1);
  // Both run along K.
  check<128, 128, 32, true, false>("along K", 130, 132, 100);
  check<128, 128, 32, true, false>("along K, odd rows", 130, 132, 99);
  check<128, 128, 32, true, false>("along K, elsewhere", 60, 36, 100, 1);
  check<128, 256, 32, true, true>("along K, cut", 130, 260, 100);
  check<16, 8, 8, true, true>("by warps, cut", 33, 20, 44);
  check_in_turn(100);
  check_in_turn(99);

  const int n = 64, k = 100;
  run::array<float> a(64 * k, element), b(k * n, [](std::size_t i) { return element(i + 77); });
  run::array<float> c(64 * n), sums(64);
  both_ways<<<1, 1>>>(a, b, c, sums, n, k);
  run::expect("both ways", c, [&](std::size_t i) {
    double sum = 0;
    for (int l = 0; l < k; ++l)
      for (bool is_cut : {false, true})
        sum += as_tf32(a[i / n * k + l], is_cut) * as_tf32(b[std::size_t(l) * n + i % n], is_cut);
    return sum;
  });
  run::expect("rows", sums, [&](std::size_t i) {
    double sum = 0;
    for (int l = 0; l < k; ++l)
      sum += a[i * k + l];
    return sum;
  });
  return run::finish();
}
