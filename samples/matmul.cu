// matmul: C = A B, row-major, bf16 with f32 accumulation, sizes known at run time only. One tile of
// C per block; the loop walks along K and feeds the tensor cores. `f32` as last argument multiplies
// f32 matrices instead.
//
//   matmul [M N K] [bf16|f32]
#include "sample.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

#include <cstring>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

/// Divisor: what n and k are known to be multiples of, so that rows start at aligned addresses.
template <int TileM, int TileN, int TileK, int Divisor, class T>
__tile_global__ void matmul(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ c,
                            unsigned m, unsigned n, unsigned k) {
  a = ct::assume_aligned<16>(a);
  b = ct::assume_aligned<16>(b);
  c = ct::assume_aligned<16>(c);
  n = ct::assume_divisible<Divisor>(n);
  k = ct::assume_divisible<Divisor>(k);
  auto a_tiles =
      ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<TileM, TileK>{}};
  auto b_tiles =
      ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<TileK, TileN>{}};
  auto c_tiles =
      ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<TileM, TileN>{}};

  int row = ct::bid().y, column = ct::bid().x;
  int steps = (k + TileK - 1) / TileK;
  auto sum = ct::zeros<ct::tile<float, ct::shape<TileM, TileN>>>();
  for (auto i : ct::irange(0, steps))
    sum = ct::mma(a_tiles.load_masked(row, i), b_tiles.load_masked(i, column), sum);
  c_tiles.store_masked(ct::element_cast<T>(sum), row, column);
}

template <class T>
void launch_matmul(const T *a, const T *b, T *c, unsigned m, unsigned n, unsigned k) {
  constexpr unsigned tile_m = 128, tile_n = 128, tile_k = 128 / sizeof(T),
                     per_vector = 16 / sizeof(T);
  const dim3 grid((n + tile_n - 1) / tile_n, (m + tile_m - 1) / tile_m);
  if (n % per_vector == 0 && k % per_vector == 0)
    matmul<tile_m, tile_n, tile_k, per_vector><<<grid, 1>>>(a, b, c, m, n, k);
  else
    matmul<tile_m, tile_n, tile_k, 1><<<grid, 1>>>(a, b, c, m, n, k);
}

/// A full reference would take minutes, so: a thousand elements against dot products, and the sum
/// of every row against A times the row sums of B, where a wrong tile shows.
template <class T> void check(const std::vector<T> &a, const std::vector<T> &b,
                              const std::vector<T> &c, unsigned m, unsigned n, unsigned k) {
  const double relative = sizeof(T) == 2 ? 1e-2 : 1e-5, spread = std::sqrt(double(k));
  sample::random_numbers random(3);
  for (int i = 0; i < 1000; ++i) {
    const std::size_t row = random.below(m), column = random.below(n);
    double wanted = 0;
    for (std::size_t j = 0; j < k; ++j)
      wanted += double(float(a[row * k + j])) * float(b[j * n + column]);
    sample::expect_near(float(c[row * n + column]), wanted, relative, 0.1 * relative * spread, row,
                        column);
  }

  std::vector<double> b_sums(k);
  for (std::size_t j = 0; j < k; ++j)
    for (std::size_t column = 0; column < n; ++column)
      b_sums[j] += float(b[j * n + column]);
  for (std::size_t row = 0; row < m; ++row) {
    double got = 0, wanted = 0;
    for (std::size_t column = 0; column < n; ++column)
      got += float(c[row * n + column]);
    for (std::size_t j = 0; j < k; ++j)
      wanted += float(a[row * k + j]) * b_sums[j];
    sample::expect_near(got, wanted, relative, relative * spread * std::sqrt(double(n)), row, 0);
  }
}

template <class T> void run(const char *type, unsigned m, unsigned n, unsigned k) {
  const auto a = sample::random_vector<T>(std::size_t{m} * k, 1),
             b = sample::random_vector<T>(std::size_t{k} * n, 2);
  sample::device_array<T> device_a(a), device_b(b), device_c(std::size_t{m} * n);
  const double time = sample::median_microseconds(
      [&] { launch_matmul(device_a.get(), device_b.get(), device_c.get(), m, n, k); });

  check(a, b, device_c.to_host(), m, n, k);
  std::printf("matmul %ux%ux%u %s: %.1f us, %.3f TFLOP/s\n", m, n, k, type, time,
              sample::giga_per_second(2.0 * m * n * k, time) * 1e-3);
}

int main(int argc, char **argv) {
  const bool f32 = argc > 1 && std::strcmp(argv[argc - 1], "f32") == 0;
  const bool bf16_named = argc > 1 && std::strcmp(argv[argc - 1], "bf16") == 0;
  if (f32 || bf16_named)
    --argc;
  const unsigned m = sample::size_argument(argc, argv, 1, 1024);
  const unsigned n = sample::size_argument(argc, argv, 2, m);
  const unsigned k = sample::size_argument(argc, argv, 3, m);
  if (f32)
    run<float>("f32", m, n, k);
  else
    run<bf16>("bf16", m, n, k);
}
