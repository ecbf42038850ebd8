// softmax: y[i, :] = exp(x[i, :] - max) / sum, bf16 in memory, f32 inside. One row per block; a
// whole row is one tile, so the maximum and the sum are one call each. Padding with -inf makes the
// columns behind the end vanish.
//
//   softmax [ROWS COLUMNS]      up to 16384 columns
#include "sample.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

/// Width: a power of two that holds a row. Divisor: what the number of columns is known to be a
/// multiple of.
template <int Width, int Divisor> __tile_global__ void
softmax(const bf16 *__restrict__ x, bf16 *__restrict__ y, unsigned rows, unsigned columns) {
  x = ct::assume_aligned<16>(x);
  y = ct::assume_aligned<16>(y);
  columns = ct::assume_divisible<Divisor>(columns);
  auto extents = ct::extents{rows, columns};
  auto whole_row = ct::shape<1, Width>{};
  auto from = ct::partition_view{ct::tensor_span{x, extents}, whole_row};
  auto to = ct::partition_view{ct::tensor_span{y, extents}, whole_row};

  int row = ct::bid().x;
  auto logits =
      ct::element_cast<float>(from.template load_masked<ct::view_padding::negative_inf>(row, 0));
  auto numerator = ct::exp(logits - ct::reduce_max<1>(logits));
  to.store_masked(ct::element_cast<bf16>(numerator / ct::sum<1>(numerator)), row, 0);
}

/// Launches the narrowest instance that holds a row.
template <int Width = 256>
void launch_softmax(const bf16 *x, bf16 *y, unsigned rows, unsigned columns) {
  if constexpr (Width < 16384)
    if (columns > Width)
      return launch_softmax<2 * Width>(x, y, rows, columns);
  if (columns % 8 == 0)
    softmax<Width, 8><<<rows, 1>>>(x, y, rows, columns);
  else
    softmax<Width, 1><<<rows, 1>>>(x, y, rows, columns);
}

void check_row(const bf16 *x, const bf16 *y, std::size_t row, unsigned columns) {
  float maximum = -INFINITY;
  double sum = 0;
  for (unsigned i = 0; i < columns; ++i)
    maximum = std::max(maximum, float(x[i]));
  for (unsigned i = 0; i < columns; ++i)
    sum += std::exp(float(x[i]) - maximum);
  for (unsigned i = 0; i < columns; ++i)
    sample::expect_near(float(y[i]), std::exp(float(x[i]) - maximum) / sum, 1e-2, 1e-7, row, i);
}

int main(int argc, char **argv) {
  const unsigned rows = sample::size_argument(argc, argv, 1, 4096);
  const unsigned columns = sample::size_argument(argc, argv, 2, 1024);
  if (columns > 16384)
    return std::fprintf(stderr, "error: softmax holds a row in one tile: at most 16384 columns\n"),
           1;
  const std::size_t size = std::size_t{rows} * columns;

  const auto x = sample::random_vector<bf16>(size, 1);
  sample::device_array<bf16> device_x(x), device_y(size);
  const double time = sample::median_microseconds(
      [&] { launch_softmax(device_x.get(), device_y.get(), rows, columns); });

  const auto y = device_y.to_host();
  for (std::size_t row = 0; row < rows; ++row)
    check_row(&x[row * columns], &y[row * columns], row, columns);
  std::printf("softmax %ux%u: %.1f us, %.1f GB/s\n", rows, columns, time,
              sample::giga_per_second(2.0 * size * sizeof(bf16), time));
}
