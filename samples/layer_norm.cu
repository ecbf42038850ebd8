// layer_norm: y[i, :] = (x[i, :] - mean) / sqrt(variance + epsilon) * weight + bias, bf16 in
// memory, f32 inside. One row per block. The row stays in registers between the two sums; weight
// and bias broadcast over it.
//
//   layer_norm [ROWS COLUMNS]      up to 16384 columns
#include "sample.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

constexpr float epsilon = 1e-5f;

/// Width: a power of two that holds a row. Divisor: what the number of columns is known to be a
/// multiple of.
template <int Width, int Divisor>
__tile_global__ void layer_norm(const bf16 *__restrict__ x, const bf16 *__restrict__ weight,
                                const bf16 *__restrict__ bias, bf16 *__restrict__ y, unsigned rows,
                                unsigned columns) {
  x = ct::assume_aligned<16>(x);
  weight = ct::assume_aligned<16>(weight);
  bias = ct::assume_aligned<16>(bias);
  y = ct::assume_aligned<16>(y);
  columns = ct::assume_divisible<Divisor>(columns);
  auto extents = ct::extents{rows, columns};
  auto whole_row = ct::shape<1, Width>{};
  auto from = ct::partition_view{ct::tensor_span{x, extents}, whole_row};
  auto to = ct::partition_view{ct::tensor_span{y, extents}, whole_row};
  auto weights =
      ct::partition_view{ct::tensor_span{weight, ct::extents{columns}}, ct::shape<Width>{}};
  auto biases = ct::partition_view{ct::tensor_span{bias, ct::extents{columns}}, ct::shape<Width>{}};

  int row = ct::bid().x;
  auto values = ct::element_cast<float>(from.load_masked(row, 0));
  auto mean = ct::sum<1>(values) / float(columns);
  // The padding is 0, not the mean: it must not count in the variance.
  auto inside = ct::iota<ct::tile<int, ct::shape<1, Width>>>() < int(columns);
  auto centred = ct::select(inside, values - mean, ct::zeros<decltype(values)>());
  auto variance = ct::sum<1>(centred * centred) / float(columns);

  auto scaled =
      centred * ct::rsqrt(variance + epsilon) * ct::element_cast<float>(weights.load_masked(0));
  to.store_masked(ct::element_cast<bf16>(scaled + ct::element_cast<float>(biases.load_masked(0))),
                  row, 0);
}

/// Launches the narrowest instance that holds a row.
template <int Width = 256> void launch_layer_norm(const bf16 *x, const bf16 *weight,
                                                  const bf16 *bias, bf16 *y, unsigned rows,
                                                  unsigned columns) {
  if constexpr (Width < 16384)
    if (columns > Width)
      return launch_layer_norm<2 * Width>(x, weight, bias, y, rows, columns);
  if (columns % 8 == 0)
    layer_norm<Width, 8><<<rows, 1>>>(x, weight, bias, y, rows, columns);
  else
    layer_norm<Width, 1><<<rows, 1>>>(x, weight, bias, y, rows, columns);
}

void check_row(const bf16 *x, const bf16 *weight, const bf16 *bias, const bf16 *y, std::size_t row,
               unsigned columns) {
  double mean = 0, variance = 0;
  for (unsigned i = 0; i < columns; ++i)
    mean += float(x[i]);
  mean /= columns;
  for (unsigned i = 0; i < columns; ++i)
    variance += (float(x[i]) - mean) * (float(x[i]) - mean);
  const double scale = 1 / std::sqrt(variance / columns + epsilon);
  for (unsigned i = 0; i < columns; ++i) {
    const double wanted = (float(x[i]) - mean) * scale * float(weight[i]) + float(bias[i]);
    sample::expect_near(float(y[i]), wanted, 1e-2, 1e-3, row, i);
  }
}

int main(int argc, char **argv) {
  const unsigned rows = sample::size_argument(argc, argv, 1, 4096);
  const unsigned columns = sample::size_argument(argc, argv, 2, 1024);
  if (columns > 16384)
    return std::fprintf(stderr,
                        "error: layer_norm holds a row in one tile: at most 16384 columns\n"),
           1;
  const std::size_t size = std::size_t{rows} * columns;

  const auto x = sample::random_vector<bf16>(size, 1);
  const auto weight = sample::random_vector<bf16>(columns, 2),
             bias = sample::random_vector<bf16>(columns, 3);
  sample::device_array<bf16> device_x(x), device_weight(weight), device_bias(bias), device_y(size);
  const double time = sample::median_microseconds([&] {
    launch_layer_norm(device_x.get(), device_weight.get(), device_bias.get(), device_y.get(), rows,
                      columns);
  });

  const auto y = device_y.to_host();
  for (std::size_t row = 0; row < rows; ++row)
    check_row(&x[row * columns], weight.data(), bias.data(), &y[row * columns], row, columns);
  std::printf("layer_norm %ux%u: %.1f us, %.1f GB/s\n", rows, columns, time,
              sample::giga_per_second(2.0 * size * sizeof(bf16), time));
}
