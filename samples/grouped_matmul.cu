// grouped_matmul: the experts of a mixture. The rows of X, sorted by expert, are multiplied by
// their expert's matrix; some experts have many rows, some few, some none. A block asks which
// expert its tile belongs to: the host gives a prefix sum of rows and one of tiles.
//
//   grouped_matmul [EXPERTS N K]      n and k multiples of 8
#include "product.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

/// X is rows x k, W experts x k x n, Y rows x n. Expert e has rows first_row[e] to first_row[e + 1]
/// of X and Y, in tiles first_tile[e] to first_tile[e + 1].
template <int TileM, int TileN, int TileK>
__tile_global__ void grouped_matmul(const bf16 *__restrict__ x, const bf16 *__restrict__ w,
                                    bf16 *__restrict__ y, const int *__restrict__ first_row,
                                    const int *__restrict__ first_tile, unsigned experts,
                                    unsigned n, unsigned k) {
  x = ct::assume_aligned<16>(x);
  w = ct::assume_aligned<16>(w);
  y = ct::assume_aligned<16>(y);
  n = ct::assume_divisible<8>(n);
  k = ct::assume_divisible<8>(k);
  const int tile = ct::bid().y, column = ct::bid().x;
  int expert = 0;
  while (first_tile[expert + 1] <= tile)
    ++expert;

  const int begin = first_row[expert], row = tile - first_tile[expert];
  const auto rows = unsigned(first_row[expert + 1] - begin);
  auto x_tiles = ct::partition_view{
      ct::tensor_span{x + std::size_t(begin) * k, ct::extents{rows, k}}, ct::shape<TileM, TileK>{}};
  auto w_tiles =
      ct::partition_view{ct::tensor_span{w + std::size_t(expert) * k * n, ct::extents{k, n}},
                         ct::shape<TileK, TileN>{}};
  auto y_tiles = ct::partition_view{
      ct::tensor_span{y + std::size_t(begin) * n, ct::extents{rows, n}}, ct::shape<TileM, TileN>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<TileM, TileN>>>();
  for (auto i : ct::irange(0, int(k + TileK - 1) / TileK))
    sum = ct::mma(x_tiles.load_masked(row, i), w_tiles.load_masked(i, column), sum);
  y_tiles.store_masked(ct::element_cast<bf16>(sum), row, column);
}

int main(int argc, char **argv) {
  constexpr unsigned tile_m = 64, tile_n = 128, tile_k = 64;
  const unsigned experts = sample::size_argument(argc, argv, 1, 8);
  const unsigned n = sample::size_argument(argc, argv, 2, 256);
  const unsigned k = sample::size_argument(argc, argv, 3, n);
  if (n % 8 != 0 || k % 8 != 0)
    return std::fprintf(stderr, "error: grouped_matmul takes n and k that are multiples of 8\n"), 1;

  // 0 to 300 rows an expert.
  sample::random_numbers random(5);
  std::vector<int> first_row{0}, first_tile{0};
  for (unsigned expert = 0; expert < experts; ++expert) {
    const unsigned rows = random.below(301);
    first_row.push_back(first_row.back() + rows);
    first_tile.push_back(first_tile.back() + sample::ceil_div(rows, tile_m));
  }
  const std::size_t rows = first_row.back();
  const auto x = sample::random_vector<bf16>(rows * k, 1),
             w = sample::random_vector<bf16>(std::size_t{experts} * k * n, 2);
  sample::device_array<bf16> device_x(x), device_w(w), device_y(rows * n);
  sample::device_array<int> device_first_row(first_row), device_first_tile(first_tile);
  const dim3 grid(sample::ceil_div(n, tile_n), first_tile.back());
  const double time = sample::median_microseconds([&] {
    grouped_matmul<tile_m, tile_n, tile_k><<<grid, 1>>>(device_x.get(), device_w.get(),
                                                        device_y.get(), device_first_row.get(),
                                                        device_first_tile.get(), experts, n, k);
  });

  sample::expect_product(device_y.to_host(), rows, n, k, 1e-2, [&](auto row, auto column) {
    const std::size_t expert =
        std::upper_bound(first_row.begin(), first_row.end(), int(row)) - first_row.begin() - 1;
    double wanted = 0;
    for (std::size_t i = 0; i < k; ++i)
      wanted += double(float(x[row * k + i])) * float(w[(expert * k + i) * n + column]);
    return wanted;
  });
  std::printf("%u experts, ", experts);
  sample::report_product("grouped_matmul", unsigned(rows), n, k, 2.0 * rows * n * k, time);
}
