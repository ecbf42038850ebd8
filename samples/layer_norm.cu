// layer_norm: y[i, :] = (x[i, :] - mean) / sqrt(variance + epsilon) * weight + bias, bf16 in
// memory, f32 inside. One row per block. The row stays in registers between the two sums; weight
// and bias broadcast over it. Its gradients are in layer_norm_backward.cu.
//
//   layer_norm [ROWS COLUMNS]      up to 16384 columns
#include "rows.h"

constexpr float epsilon = 1e-5f;

template <int Width, int Divisor>
__tile_global__ void layer_norm(const bf16 *__restrict__ x, const bf16 *__restrict__ weight,
                                const bf16 *__restrict__ bias, bf16 *__restrict__ y, unsigned rows,
                                unsigned columns) {
  columns = ct::assume_divisible<Divisor>(columns);
  auto from = rows_of<Width>(x, rows, columns);
  auto to = rows_of<Width>(y, rows, columns);

  int row = ct::bid().x;
  auto values = ct::element_cast<float>(from.load_masked(row, 0));
  auto mean = ct::sum<1>(values) / float(columns);
  // The padding is 0, not the mean: it must not count in the variance.
  auto inside = ct::iota<ct::tile<int, ct::shape<1, Width>>>() < int(columns);
  auto centred = ct::select(inside, values - mean, ct::zeros<decltype(values)>());
  auto variance = ct::sum<1>(centred * centred) / float(columns);

  auto scaled = centred * ct::rsqrt(variance + epsilon) * load_row<Width>(weight, columns);
  to.store_masked(ct::element_cast<bf16>(scaled + load_row<Width>(bias, columns)), row, 0);
}

void check_row(const bf16 *x, const bf16 *weight, const bf16 *bias, const bf16 *y, std::size_t row,
               unsigned columns) {
  const double mean = sample::sum_of(columns, [&](auto i) { return float(x[i]); }) / columns;
  auto centred = [&](auto i) { return float(x[i]) - mean; };
  const double squares = sample::sum_of(columns, [&](auto i) { return centred(i) * centred(i); });
  const double scale = 1 / std::sqrt(squares / columns + epsilon);
  sample::expect_row(y, row, columns, 1e-2, 1e-3, [&](auto i) {
    return centred(i) * scale * float(weight[i]) + float(bias[i]);
  });
}

int main(int argc, char **argv) {
  const unsigned rows = sample::size_argument(argc, argv, 1, 4096);
  const unsigned columns = sample::columns_argument("layer_norm", argc, argv, 2, 1024);
  const std::size_t size = std::size_t{rows} * columns;

  const auto x = sample::random_vector<bf16>(size, 1);
  const auto weight = sample::random_vector<bf16>(columns, 2),
             bias = sample::random_vector<bf16>(columns, 3);
  sample::device_array<bf16> device_x(x), device_weight(weight), device_bias(bias), device_y(size);
  const double time = sample::median_microseconds([&] {
    sample::launch_by_width(columns, [&]<int Width, int Divisor>() {
      layer_norm<Width, Divisor><<<rows, 1>>>(device_x.get(), device_weight.get(),
                                              device_bias.get(), device_y.get(), rows, columns);
    });
  });

  const auto y = device_y.to_host();
  for (std::size_t row = 0; row < rows; ++row)
    check_row(&x[row * columns], weight.data(), bias.data(), &y[row * columns], row, columns);
  sample::report_rows("layer_norm", rows, columns, 2.0 * size * sizeof(bf16), time);
}
