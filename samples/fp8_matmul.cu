// fp8_matmul: C = (A B) with a scale for each row of A and for each column of B, as quantised
// layers multiply: A (m x k) and the transpose of B (n x k) are e4m3, C is bf16, sums are f32.
//
//   fp8_matmul [M N K]      multiples of 16
#include "product.h"

#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;
using fp8 = __nv_fp8_e4m3;

template <int TileM, int TileN, int TileK>
__tile_global__ void fp8_matmul(const fp8 *__restrict__ a, const fp8 *__restrict__ b,
                                const float *__restrict__ a_scales,
                                const float *__restrict__ b_scales, bf16 *__restrict__ c,
                                unsigned m, unsigned n, unsigned k) {
  a = ct::assume_aligned<16>(a);
  b = ct::assume_aligned<16>(b);
  a_scales = ct::assume_aligned<16>(a_scales);
  b_scales = ct::assume_aligned<16>(b_scales);
  c = ct::assume_aligned<16>(c);
  n = ct::assume_divisible<16>(n);
  k = ct::assume_divisible<16>(k);
  auto a_tiles =
      ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<TileM, TileK>{}};
  auto b_tiles = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}, ct::layout_left{}},
                                    ct::shape<TileK, TileN>{}};
  auto row_scales =
      ct::partition_view{ct::tensor_span{a_scales, ct::extents{m, 1u}}, ct::shape<TileM, 1>{}};
  auto column_scales =
      ct::partition_view{ct::tensor_span{b_scales, ct::extents{n}}, ct::shape<TileN>{}};
  auto c_tiles =
      ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<TileM, TileN>{}};

  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::zeros<ct::tile<float, ct::shape<TileM, TileN>>>();
  for (auto i : ct::irange(0, int(k + TileK - 1) / TileK))
    sum = ct::mma(a_tiles.load_masked(row, i), b_tiles.load_masked(i, column), sum);
  auto scaled = sum * row_scales.load_masked(row, 0) * column_scales.load_masked(column);
  c_tiles.store_masked(ct::element_cast<bf16>(scaled), row, column);
}

int main(int argc, char **argv) {
  constexpr unsigned tile_m = 128, tile_n = 256, tile_k = 128;
  const unsigned m = sample::size_argument(argc, argv, 1, 1024);
  const unsigned n = sample::size_argument(argc, argv, 2, m);
  const unsigned k = sample::size_argument(argc, argv, 3, m);
  if (n % 16 != 0 || k % 16 != 0)
    return std::fprintf(stderr, "error: fp8_matmul takes n and k that are multiples of 16\n"), 1;

  const auto a = sample::random_vector<fp8>(std::size_t{m} * k, 1),
             b = sample::random_vector<fp8>(std::size_t{n} * k, 2);
  const auto a_scales = sample::random_vector<float>(m, 3),
             b_scales = sample::random_vector<float>(n, 4);
  sample::device_array<fp8> device_a(a), device_b(b);
  sample::device_array<float> device_a_scales(a_scales), device_b_scales(b_scales);
  sample::device_array<bf16> device_c(std::size_t{m} * n);
  const dim3 grid(sample::ceil_div(n, tile_n), sample::ceil_div(m, tile_m));
  const double time = sample::median_microseconds([&] {
    fp8_matmul<tile_m, tile_n, tile_k><<<grid, 1>>>(device_a.get(), device_b.get(),
                                                    device_a_scales.get(), device_b_scales.get(),
                                                    device_c.get(), m, n, k);
  });

  // The tensor cores keep fewer bits than a float while they add up products of fp8.
  sample::expect_product(device_c.to_host(), m, n, k, 2e-2, [&](auto row, auto column) {
    double wanted = 0;
    for (std::size_t i = 0; i < k; ++i)
      wanted += double(float(a[row * k + i])) * float(b[column * k + i]);
    return wanted * a_scales[row] * b_scales[column];
  });
  sample::report_product("fp8_matmul", m, n, k, 2.0 * m * n * k, time);
}
