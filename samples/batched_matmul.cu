// batched_matmul: C[i] = A[i] B[i] for a batch of small matrices, half with f32 sums. Views of
// three dimensions; the batch is the third dimension of the grid.
//
//   batched_matmul [BATCH M N K]      n and k multiples of 8
#include "product.h"

#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <int TileM, int TileN, int TileK>
__tile_global__ void batched_matmul(const __half *__restrict__ a, const __half *__restrict__ b,
                                    __half *__restrict__ c, unsigned batch, unsigned m, unsigned n,
                                    unsigned k) {
  a = ct::assume_aligned<16>(a);
  b = ct::assume_aligned<16>(b);
  c = ct::assume_aligned<16>(c);
  n = ct::assume_divisible<8>(n);
  k = ct::assume_divisible<8>(k);
  auto a_tiles = ct::partition_view{ct::tensor_span{a, ct::extents{batch, m, k}},
                                    ct::shape<1, TileM, TileK>{}};
  auto b_tiles = ct::partition_view{ct::tensor_span{b, ct::extents{batch, k, n}},
                                    ct::shape<1, TileK, TileN>{}};
  auto c_tiles = ct::partition_view{ct::tensor_span{c, ct::extents{batch, m, n}},
                                    ct::shape<1, TileM, TileN>{}};

  const auto [column, row, index] = ct::bid();
  auto sum = ct::zeros<ct::tile<float, ct::shape<1, TileM, TileN>>>();
  for (auto i : ct::irange(0u, (k + TileK - 1) / TileK))
    sum = ct::mma(a_tiles.load_masked(index, row, i), b_tiles.load_masked(index, i, column), sum);
  c_tiles.store_masked(ct::element_cast<__half>(sum), index, row, column);
}

int main(int argc, char **argv) {
  constexpr unsigned tile_m = 128, tile_n = 128, tile_k = 64;
  const unsigned batch = sample::size_argument(argc, argv, 1, 8);
  const unsigned m = sample::size_argument(argc, argv, 2, 256);
  const unsigned n = sample::size_argument(argc, argv, 3, m);
  const unsigned k = sample::size_argument(argc, argv, 4, m);
  if (n % 8 != 0 || k % 8 != 0)
    return std::fprintf(stderr, "error: batched_matmul takes n and k that are multiples of 8\n"), 1;

  const auto a = sample::random_vector<__half>(std::size_t{batch} * m * k, 1),
             b = sample::random_vector<__half>(std::size_t{batch} * k * n, 2);
  sample::device_array<__half> device_a(a), device_b(b), device_c(std::size_t{batch} * m * n);
  const dim3 grid(sample::ceil_div(n, tile_n), sample::ceil_div(m, tile_m), batch);
  const double time = sample::median_microseconds([&] {
    batched_matmul<tile_m, tile_n, tile_k>
        <<<grid, 1>>>(device_a.get(), device_b.get(), device_c.get(), batch, m, n, k);
  });

  // All matrices of the batch, one below the other.
  sample::expect_product(
      device_c.to_host(), std::size_t{batch} * m, n, k, 1e-2, [&](auto row, auto column) {
        double wanted = 0;
        for (std::size_t i = 0; i < k; ++i)
          wanted += double(float(a[row * k + i])) * float(b[(row / m * k + i) * n + column]);
        return wanted;
      });
  std::printf("%u times ", batch);
  sample::report_product("batched_matmul", m, n, k, 2.0 * batch * m * n * k, time);
}
