// transpose: b = a^T for a row-major f32 matrix. A tile is read at (row, column) and written at
// (column, row); how its elements travel between threads is the compiler's business.
//
//   transpose [ROWS COLUMNS]
#include "sample.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <int Tile> __tile_global__ void
transpose(const float *__restrict__ a, float *__restrict__ b, unsigned rows, unsigned columns) {
  a = ct::assume_aligned<16>(a);
  b = ct::assume_aligned<16>(b);
  auto tile = ct::shape<Tile, Tile>{};
  auto from = ct::partition_view{ct::tensor_span{a, ct::extents{rows, columns}}, tile};
  auto to = ct::partition_view{ct::tensor_span{b, ct::extents{columns, rows}}, tile};

  int column = ct::bid().x, row = ct::bid().y;
  to.store_masked(ct::transpose(from.load_masked(row, column)), column, row);
}

int main(int argc, char **argv) {
  constexpr unsigned tile = 64;
  const unsigned rows = sample::size_argument(argc, argv, 1, 2048);
  const unsigned columns = sample::size_argument(argc, argv, 2, rows);
  const std::size_t size = std::size_t{rows} * columns;

  const auto a = sample::random_vector<float>(size, 1);
  sample::device_array<float> device_a(a), device_b(size);
  const dim3 grid((columns + tile - 1) / tile, (rows + tile - 1) / tile);
  const double time = sample::median_microseconds(
      [&] { transpose<tile><<<grid, 1>>>(device_a.get(), device_b.get(), rows, columns); });

  const auto b = device_b.to_host();
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      sample::expect_near(b[column * rows + row], a[row * columns + column], 0, 0, column, row);
  std::printf("transpose %ux%u: %.1f us, %.1f GB/s\n", rows, columns, time,
              sample::giga_per_second(2.0 * size * sizeof(float), time));
}
