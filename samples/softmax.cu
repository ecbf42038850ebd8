// softmax: y[i, :] = exp(x[i, :] - max) / sum, bf16 in memory, f32 inside. One row per block; a
// whole row is one tile, so the maximum and the sum are one call each. Padding with -inf makes the
// columns behind the end vanish.
//
//   softmax [ROWS COLUMNS]      up to 16384 columns
#include "rows.h"

template <int Width, int Divisor> __tile_global__ void
softmax(const bf16 *__restrict__ x, bf16 *__restrict__ y, unsigned rows, unsigned columns) {
  columns = ct::assume_divisible<Divisor>(columns);
  auto from = rows_of<Width>(x, rows, columns);
  auto to = rows_of<Width>(y, rows, columns);

  int row = ct::bid().x;
  auto logits =
      ct::element_cast<float>(from.template load_masked<ct::view_padding::negative_inf>(row, 0));
  auto numerator = ct::exp(logits - ct::reduce_max<1>(logits));
  to.store_masked(ct::element_cast<bf16>(numerator / ct::sum<1>(numerator)), row, 0);
}

void check_row(const bf16 *x, const bf16 *y, std::size_t row, unsigned columns) {
  float maximum = -INFINITY;
  for (unsigned i = 0; i < columns; ++i)
    maximum = std::max(maximum, float(x[i]));
  auto numerator = [&](std::size_t i) { return std::exp(double(float(x[i])) - maximum); };
  const double sum = sample::sum_of(columns, numerator);
  sample::expect_row(y, row, columns, 1e-2, 1e-7, [&](auto i) { return numerator(i) / sum; });
}

int main(int argc, char **argv) {
  const unsigned rows = sample::size_argument(argc, argv, 1, 4096);
  const unsigned columns = sample::columns_argument("softmax", argc, argv, 2, 1024);
  const std::size_t size = std::size_t{rows} * columns;

  const auto x = sample::random_vector<bf16>(size, 1);
  sample::device_array<bf16> device_x(x), device_y(size);
  const double time = sample::median_microseconds([&] {
    sample::launch_by_width(columns, [&]<int Width, int Divisor>() {
      softmax<Width, Divisor><<<rows, 1>>>(device_x.get(), device_y.get(), rows, columns);
    });
  });

  const auto y = device_y.to_host();
  for (std::size_t row = 0; row < rows; ++row)
    check_row(&x[row * columns], &y[row * columns], row, columns);
  sample::report_rows("softmax", rows, columns, 2.0 * size * sizeof(bf16), time);
}
