// linear: y = gelu(x W^T + bias), a layer of a network in one kernel. W is outputs x inputs, as
// frameworks store it; bias and activation are applied while the sums are in registers.
//
//   linear [ROWS OUTPUTS INPUTS]      outputs and inputs multiples of 8
#include "product.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

/// The approximation by tanh: x / 2 * (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
template <class Tile> __tile__ auto gelu(Tile x) {
  return 0.5f * x * (1.0f + ct::tanh(0.7978845608f * (x + 0.044715f * x * x * x)));
}

template <int TileM, int TileN, int TileK>
__tile_global__ void linear(const bf16 *__restrict__ x, const bf16 *__restrict__ weight,
                            const bf16 *__restrict__ bias, bf16 *__restrict__ y, unsigned rows,
                            unsigned outputs, unsigned inputs) {
  x = ct::assume_aligned<16>(x);
  weight = ct::assume_aligned<16>(weight);
  bias = ct::assume_aligned<16>(bias);
  y = ct::assume_aligned<16>(y);
  outputs = ct::assume_divisible<8>(outputs);
  inputs = ct::assume_divisible<8>(inputs);
  auto x_tiles =
      ct::partition_view{ct::tensor_span{x, ct::extents{rows, inputs}}, ct::shape<TileM, TileK>{}};
  auto weights =
      ct::partition_view{ct::tensor_span{weight, ct::extents{inputs, outputs}, ct::layout_left{}},
                         ct::shape<TileK, TileN>{}};
  auto biases = ct::partition_view{ct::tensor_span{bias, ct::extents{outputs}}, ct::shape<TileN>{}};
  auto y_tiles =
      ct::partition_view{ct::tensor_span{y, ct::extents{rows, outputs}}, ct::shape<TileM, TileN>{}};

  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::zeros<ct::tile<float, ct::shape<TileM, TileN>>>();
  for (auto i : ct::irange(0, int(inputs + TileK - 1) / TileK))
    sum = ct::mma(x_tiles.load_masked(row, i), weights.load_masked(i, column), sum);
  auto activated = gelu(sum + ct::element_cast<float>(biases.load_masked(column)));
  y_tiles.store_masked(ct::element_cast<bf16>(activated), row, column);
}

#ifndef KERNELS_ONLY // samples/distributed launches them itself
int main(int argc, char **argv) {
  constexpr unsigned tile_m = 128, tile_n = 128, tile_k = 64;
  const unsigned rows = sample::size_argument(argc, argv, 1, 1024);
  const unsigned outputs = sample::size_argument(argc, argv, 2, rows);
  const unsigned inputs = sample::size_argument(argc, argv, 3, rows);
  if (outputs % 8 != 0 || inputs % 8 != 0)
    return std::fprintf(stderr, "error: linear takes outputs and inputs that are multiples of 8\n"),
           1;

  const auto x = sample::random_vector<bf16>(std::size_t{rows} * inputs, 1),
             weight = sample::random_vector<bf16>(std::size_t{outputs} * inputs, 2),
             bias = sample::random_vector<bf16>(outputs, 3);
  sample::device_array<bf16> device_x(x), device_weight(weight), device_bias(bias),
      device_y(std::size_t{rows} * outputs);
  const dim3 grid(sample::ceil_div(outputs, tile_n), sample::ceil_div(rows, tile_m));
  const double time = sample::median_microseconds([&] {
    linear<tile_m, tile_n, tile_k><<<grid, 1>>>(device_x.get(), device_weight.get(),
                                                device_bias.get(), device_y.get(), rows, outputs,
                                                inputs);
  });

  sample::expect_product(
      device_y.to_host(), rows, outputs, inputs, 1e-2, [&](auto row, auto column) {
        double sum = float(bias[column]);
        for (std::size_t i = 0; i < inputs; ++i)
          sum += double(float(x[row * inputs + i])) * float(weight[column * inputs + i]);
        return 0.5 * sum * (1 + std::tanh(0.7978845608 * (sum + 0.044715 * sum * sum * sum)));
      });
  sample::report_product("linear", rows, outputs, inputs, 2.0 * rows * outputs * inputs, time);
}
#endif
