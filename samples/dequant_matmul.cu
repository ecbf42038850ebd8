// dequant_matmul: y = x W with weights of four bits and activations of bf16, as large language
// models decode. A byte holds two weights: of its block of 64 rows, byte (i, n) of 32 has row i in
// its low half and row i + 32 in its high half. A weight q stands for (q - 8) * scale, with one
// scale for the block's 64 rows of a column. The weights become bf16 in registers.
//
//   dequant_matmul [ROWS OUTPUTS INPUTS]      outputs multiples of 16, inputs multiples of 64
#include "product.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

#include <cstdint>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

constexpr int group = 64;

template <class Quanta, class Scales> __tile__ auto weights_of(Quanta quanta, Scales scales) {
  return ct::element_cast<bf16>((ct::element_cast<float>(quanta) - 8.0f) * scales);
}

template <int TileM, int TileN>
__tile_global__ void dequant_matmul(const bf16 *__restrict__ x,
                                    const std::uint8_t *__restrict__ packed,
                                    const float *__restrict__ scale, bf16 *__restrict__ y,
                                    unsigned rows, unsigned outputs, unsigned inputs) {
  x = ct::assume_aligned<16>(x);
  packed = ct::assume_aligned<16>(packed);
  scale = ct::assume_aligned<16>(scale);
  y = ct::assume_aligned<16>(y);
  outputs = ct::assume_divisible<16>(outputs);
  inputs = ct::assume_divisible<group>(inputs);
  auto x_tiles = ct::partition_view{ct::tensor_span{x, ct::extents{rows, inputs}},
                                    ct::shape<TileM, group / 2>{}};
  auto packed_tiles = ct::partition_view{ct::tensor_span{packed, ct::extents{inputs / 2, outputs}},
                                         ct::shape<group / 2, TileN>{}};
  auto scales = ct::partition_view{ct::tensor_span{scale, ct::extents{inputs / group, outputs}},
                                   ct::shape<1, TileN>{}};
  auto y_tiles =
      ct::partition_view{ct::tensor_span{y, ct::extents{rows, outputs}}, ct::shape<TileM, TileN>{}};

  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::zeros<ct::tile<float, ct::shape<TileM, TileN>>>();
  for (auto i : ct::irange(0, int(inputs / group))) {
    auto bytes = packed_tiles.load_masked(i, column);
    auto group_scales = scales.load_masked(i, column);
    sum = ct::mma(x_tiles.load_masked(row, 2 * i),
                  weights_of(bytes & std::uint8_t(15), group_scales), sum);
    sum = ct::mma(x_tiles.load_masked(row, 2 * i + 1),
                  weights_of(bytes >> std::uint8_t(4), group_scales), sum);
  }
  y_tiles.store_masked(ct::element_cast<bf16>(sum), row, column);
}

int main(int argc, char **argv) {
  constexpr unsigned tile_m = 64, tile_n = 128;
  const unsigned rows = sample::size_argument(argc, argv, 1, 16);
  const unsigned outputs = sample::size_argument(argc, argv, 2, 1024);
  const unsigned inputs = sample::size_argument(argc, argv, 3, 1024);
  if (outputs % 16 != 0 || inputs % group != 0)
    return std::fprintf(stderr, "error: dequant_matmul takes multiples of 16 outputs and of 64 "
                                "inputs\n"),
           1;

  const auto x = sample::random_vector<bf16>(std::size_t{rows} * inputs, 1);
  const auto scale = sample::random_vector<float>(std::size_t{inputs} / group * outputs, 2);
  std::vector<std::uint8_t> packed(std::size_t{inputs} / 2 * outputs);
  sample::random_numbers random(3);
  for (std::uint8_t &byte : packed)
    byte = static_cast<std::uint8_t>(random.below(256));
  sample::device_array<bf16> device_x(x), device_y(std::size_t{rows} * outputs);
  sample::device_array<std::uint8_t> device_packed(packed);
  sample::device_array<float> device_scale(scale);
  const dim3 grid(sample::ceil_div(outputs, tile_n), sample::ceil_div(rows, tile_m));
  const double time = sample::median_microseconds([&] {
    dequant_matmul<tile_m, tile_n><<<grid, 1>>>(device_x.get(), device_packed.get(),
                                                device_scale.get(), device_y.get(), rows, outputs,
                                                inputs);
  });

  // Weights reach 8, and are rounded to bf16 before they are multiplied, here as in the kernel.
  sample::expect_product(
      device_y.to_host(), rows, outputs, inputs, 4e-2, [&](auto row, auto column) {
        double wanted = 0;
        for (std::size_t i = 0; i < inputs; ++i) {
          const std::size_t block = i / group, within = i % group;
          const std::uint8_t byte =
              packed[(block * group / 2 + within % (group / 2)) * outputs + column];
          const int quantum = within < group / 2 ? byte & 15 : byte >> 4;
          wanted += double(float(x[row * inputs + i])) *
                    float(bf16((quantum - 8.0f) * scale[block * outputs + column]));
        }
        return wanted;
      });
  sample::report_product("dequant_matmul", rows, outputs, inputs, 2.0 * rows * outputs * inputs,
                         time);
}
