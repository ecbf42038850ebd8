// quantize: bf16 to few bits. fp8: e4m3, each row (a token) with a scale of its own, so that its
// largest magnitude becomes 448. int4: groups of 128 columns have a scale each, so that their
// largest magnitude becomes 7; the number 8 stands for 0, and two neighbours share a byte, the
// first one in its low bits.
//
//   quantize [ROWS COLUMNS]      up to 16384 columns, for int4 an even number
#include "rows.h"

#include <cuda_fp8.h>

#include <cstdint>

using fp8 = __nv_fp8_e4m3;
constexpr int group = 128, packed_width = 4096;

/// The largest magnitude of each row of a tile, which is divided by: of zeros it may be any.
template <class Tile> __tile__ auto largest_of(Tile values) {
  return ct::max(ct::reduce_max<1>(ct::abs(values)), 1e-30f);
}

template <int Width, int Divisor>
__tile_global__ void quantize_fp8(const bf16 *__restrict__ x, fp8 *__restrict__ y,
                                  float *__restrict__ scales, unsigned rows, unsigned columns) {
  columns = ct::assume_divisible<Divisor>(columns);
  int row = ct::bid().x;
  auto values = ct::element_cast<float>(rows_of<Width>(x, rows, columns).load_masked(row, 0));
  auto largest = largest_of(values);
  scales[row] = float(largest / 448.0f);
  rows_of<Width>(y, rows, columns)
      .store_masked(ct::element_cast<fp8>(values * (448.0f / largest)), row, 0);
}

/// A block has 4096 columns of a row; scales has a row's groups in a row.
template <int Divisor>
__tile_global__ void quantize_int4(const bf16 *__restrict__ x, std::uint8_t *__restrict__ y,
                                   float *__restrict__ scales, unsigned rows, unsigned bytes) {
  bytes = ct::assume_divisible<Divisor>(bytes);
  constexpr int groups = packed_width / group;
  const unsigned columns = 2 * bytes;
  const int part = ct::bid().x, row = ct::bid().y;
  auto values = ct::reshape(
      ct::element_cast<float>(rows_of<packed_width>(x, rows, columns).load_masked(row, part)),
      ct::shape<groups, group>{});
  auto largest = largest_of(values);
  rows_of<groups>(scales, rows, (columns + group - 1) / group)
      .store_masked(ct::reshape(largest / 7.0f, ct::shape<1, groups>{}), row, part);

  auto numbers = ct::element_cast<std::uint8_t>(ct::floor(values * (7.0f / largest) + 8.5f));
  auto pairs = ct::reshape(numbers, ct::shape<packed_width / 2, 2>{});
  auto half = ct::shape<packed_width / 2, 1>{};
  auto packed = ct::extract(pairs, half, 0, 0) | ct::extract(pairs, half, 0, 1) << 4;
  rows_of<packed_width / 2>(y, rows, bytes)
      .store_masked(ct::reshape(packed, ct::shape<1, packed_width / 2>{}), row, part);
}

int main(int argc, char **argv) {
  const unsigned rows = sample::size_argument(argc, argv, 1, 4096);
  const unsigned columns = sample::columns_argument("quantize", argc, argv, 2, 1024);
  const std::size_t size = std::size_t{rows} * columns;
  const auto x = sample::random_vector<bf16>(size, 1);
  sample::device_array<bf16> device_x(x);
  auto magnitude_of = [&](std::size_t begin, std::size_t end) {
    double largest = 0;
    for (std::size_t i = begin; i < end; ++i)
      largest = std::max(largest, std::abs(double(x[i])));
    return largest;
  };

  sample::device_array<fp8> device_y(size);
  sample::device_array<float> device_scales(rows);
  double time = sample::median_microseconds([&] {
    sample::launch_by_width<256, widest_row, 16>(columns, [&]<int Width, int Divisor>() {
      quantize_fp8<Width, Divisor>
          <<<rows, 1>>>(device_x.get(), device_y.get(), device_scales.get(), rows, columns);
    });
  });
  const auto y = device_y.to_host();
  const auto scales = device_scales.to_host();
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t begin = row * columns;
    const double scale = magnitude_of(begin, begin + columns) / 448;
    sample::expect_near(scales[row], scale, 1e-5, 1e-30, row, 0);
    // Half a unit of 3 bits of mantissa, or of the smallest numbers.
    for (unsigned i = 0; i < columns; ++i)
      sample::expect_near(float(y[begin + i]) * scale, float(x[begin + i]), 0x1.1p-4,
                          0x1.1p-10 * scale, row, i);
  }
  sample::report_rows("quantize to fp8", rows, columns, 3.0 * size, time);

  if (columns % 2 != 0)
    return 0;
  const unsigned bytes = columns / 2, groups = (columns + group - 1) / group;
  sample::device_array<std::uint8_t> device_packed(rows * bytes);
  sample::device_array<float> device_group_scales(rows * groups);
  const dim3 grid((columns + packed_width - 1) / packed_width, rows);
  time = sample::median_microseconds([&] {
    sample::launch_by_divisor(bytes, [&]<int Divisor>() {
      quantize_int4<Divisor><<<grid, 1>>>(device_x.get(), device_packed.get(),
                                          device_group_scales.get(), rows, bytes);
    });
  });
  const auto packed = device_packed.to_host();
  const auto group_scales = device_group_scales.to_host();
  for (std::size_t row = 0; row < rows; ++row)
    for (unsigned begin = 0; begin < columns; begin += group) {
      const unsigned end = std::min(begin + group, columns);
      const double scale = magnitude_of(row * columns + begin, row * columns + end) / 7;
      sample::expect_near(group_scales[row * groups + begin / group], scale, 1e-5, 1e-30, row,
                          begin);
      for (unsigned i = begin; i < end; ++i) {
        const int number = (packed[(row * columns + i) / 2] >> i % 2 * 4 & 15) - 8;
        sample::expect_near(number * scale, float(x[row * columns + i]), 0, 0.501 * scale, row, i);
      }
    }
  sample::report_rows("quantize to int4", rows, columns, 2.5 * size, time);
}
