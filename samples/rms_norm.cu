// rms_norm: y[i, :] = x[i, :] * rstd[i] * weight, rstd[i] = 1 / sqrt(mean of x[i, :]^2 + epsilon),
// and its gradients by x and weight; bf16 in memory, f32 inside. Forward has one row per block and
// keeps rstd for backward, whose blocks take many rows each.
//
//   rms_norm [ROWS COLUMNS]      up to 16384 columns
#include "norm.h"

constexpr float epsilon = 1e-6f;

template <int Width, int Divisor>
__tile_global__ void rms_norm(const bf16 *__restrict__ x, const bf16 *__restrict__ weight,
                              bf16 *__restrict__ y, float *__restrict__ rstd, unsigned rows,
                              unsigned columns) {
  columns = ct::assume_divisible<Divisor>(columns);
  auto from = rows_of<Width>(x, rows, columns);
  auto to = rows_of<Width>(y, rows, columns);

  int row = ct::bid().x;
  auto values = ct::element_cast<float>(from.load_masked(row, 0));
  auto scale = ct::rsqrt(ct::sum<1>(values * values) / float(columns) + epsilon);
  rstd[row] = float(scale);
  to.store_masked(ct::element_cast<bf16>(values * scale * load_row<Width>(weight, columns)), row,
                  0);
}

int main(int argc, char **argv) {
  const unsigned rows = sample::size_argument(argc, argv, 1, 4096);
  const unsigned columns = sample::columns_argument("rms_norm", argc, argv, 2, 1024);
  const std::size_t size = std::size_t{rows} * columns;

  const auto x = sample::random_vector<bf16>(size, 1),
             weight = sample::random_vector<bf16>(columns, 2);
  sample::device_array<bf16> device_x(x), device_weight(weight), device_y(size);
  sample::device_array<float> device_rstd(rows);
  const double time = sample::median_microseconds([&] {
    sample::launch_by_width(columns, [&]<int Width, int Divisor>() {
      rms_norm<Width, Divisor><<<rows, 1>>>(device_x.get(), device_weight.get(), device_y.get(),
                                            device_rstd.get(), rows, columns);
    });
  });

  const auto y = device_y.to_host();
  const auto rstd = device_rstd.to_host();
  for (std::size_t row = 0; row < rows; ++row) {
    auto value = [&](auto i) { return double(x[row * columns + i]); };
    const double squares = sample::sum_of(columns, [&](auto i) { return value(i) * value(i); });
    const double scale = 1 / std::sqrt(squares / columns + epsilon);
    sample::expect_near(rstd[row], scale, 1e-4, 0, row, 0);
    sample::expect_row(&y[row * columns], row, columns, 1e-2, 1e-3,
                       [&](auto i) { return value(i) * scale * float(weight[i]); });
  }
  sample::report_rows("rms_norm", rows, columns, 2.0 * size * sizeof(bf16), time);
  run_norm_backward<false>("rms_norm backward", x, weight, {}, rstd);
}
