// transposed_matmul: C = op(A) op(B), where either operand may lie transposed in memory, as the
// gradients of a linear layer need it: NN, NT, TN and TT, bf16 with f32 sums. A view of a
// transposed operand is one whose span is ordered by columns; the kernel does not change.
//
//   transposed_matmul [M N K]      multiples of 8
#include "product.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

#include <type_traits>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

/// The order of the elements of a matrix in memory: by rows, or by columns where it is transposed.
template <bool IsTransposed> using order =
    std::conditional_t<IsTransposed, ct::layout_left, ct::layout_right>;

/// A is m x k, B is k x n; memory holds their transposes where the names say so.
template <int TileM, int TileN, int TileK, bool TransposedA, bool TransposedB>
__tile_global__ void matmul(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                            bf16 *__restrict__ c, unsigned m, unsigned n, unsigned k) {
  a = ct::assume_aligned<16>(a);
  b = ct::assume_aligned<16>(b);
  c = ct::assume_aligned<16>(c);
  m = ct::assume_divisible<8>(m);
  n = ct::assume_divisible<8>(n);
  k = ct::assume_divisible<8>(k);
  auto a_tiles = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}, order<TransposedA>{}},
                                    ct::shape<TileM, TileK>{}};
  auto b_tiles = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}, order<TransposedB>{}},
                                    ct::shape<TileK, TileN>{}};
  auto c_tiles =
      ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<TileM, TileN>{}};

  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::zeros<ct::tile<float, ct::shape<TileM, TileN>>>();
  for (auto i : ct::irange(0, int(k + TileK - 1) / TileK))
    sum = ct::mma(a_tiles.load_masked(row, i), b_tiles.load_masked(i, column), sum);
  c_tiles.store_masked(ct::element_cast<bf16>(sum), row, column);
}

#ifndef KERNELS_ONLY // samples/distributed launches them itself
template <bool TransposedA, bool TransposedB>
void run(const char *name, unsigned m, unsigned n, unsigned k) {
  constexpr unsigned tile_m = 128, tile_n = 256, tile_k = 64;
  const auto a = sample::random_vector<bf16>(std::size_t{m} * k, 1),
             b = sample::random_vector<bf16>(std::size_t{k} * n, 2);
  sample::device_array<bf16> device_a(a), device_b(b), device_c(std::size_t{m} * n);
  const dim3 grid(sample::ceil_div(n, tile_n), sample::ceil_div(m, tile_m));
  const double time = sample::median_microseconds([&] {
    matmul<tile_m, tile_n, tile_k, TransposedA, TransposedB>
        <<<grid, 1>>>(device_a.get(), device_b.get(), device_c.get(), m, n, k);
  });

  sample::expect_product(device_c.to_host(), m, n, k, 1e-2, [&](auto row, auto column) {
    double wanted = 0;
    for (std::size_t i = 0; i < k; ++i)
      wanted += double(float(a[TransposedA ? i * m + row : row * k + i])) *
                float(b[TransposedB ? column * k + i : i * n + column]);
    return wanted;
  });
  sample::report_product(name, m, n, k, 2.0 * m * n * k, time);
}

int main(int argc, char **argv) {
  const unsigned m = sample::size_argument(argc, argv, 1, 1024);
  const unsigned n = sample::size_argument(argc, argv, 2, m);
  const unsigned k = sample::size_argument(argc, argv, 3, m);
  if (m % 8 != 0 || n % 8 != 0 || k % 8 != 0)
    return std::fprintf(stderr, "error: transposed_matmul takes multiples of 8\n"), 1;
  run<false, false>("transposed_matmul NN", m, n, k);
  run<false, true>("transposed_matmul NT", m, n, k);
  run<true, false>("transposed_matmul TN", m, n, k);
  run<true, true>("transposed_matmul TT", m, n, k);
}
#endif
