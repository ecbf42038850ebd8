// softmax_backward: dx[i, :] = y[i, :] * (dy[i, :] - sum(y[i, :] * dy[i, :])), where y is a softmax
// and dy the gradient by it; bf16 in memory, f32 inside. One row per block.
//
//   softmax_backward [ROWS COLUMNS]      up to 16384 columns
#include "rows.h"

template <int Width, int Divisor>
__tile_global__ void softmax_backward(const bf16 *__restrict__ y, const bf16 *__restrict__ dy,
                                      bf16 *__restrict__ dx, unsigned rows, unsigned columns) {
  columns = ct::assume_divisible<Divisor>(columns);
  auto results = rows_of<Width>(y, rows, columns), gradients = rows_of<Width>(dy, rows, columns);
  auto to = rows_of<Width>(dx, rows, columns);

  int row = ct::bid().x;
  auto result = ct::element_cast<float>(results.load_masked(row, 0));
  auto gradient = ct::element_cast<float>(gradients.load_masked(row, 0));
  auto dot = ct::sum<1>(result * gradient);
  to.store_masked(ct::element_cast<bf16>(result * (gradient - dot)), row, 0);
}

int main(int argc, char **argv) {
  const unsigned rows = sample::size_argument(argc, argv, 1, 4096);
  const unsigned columns = sample::columns_argument("softmax_backward", argc, argv, 2, 1024);
  const std::size_t size = std::size_t{rows} * columns;

  // The kernel does not ask that y is a softmax; numbers of its size are the harder test.
  const auto y = sample::random_vector<bf16>(size, 1), dy = sample::random_vector<bf16>(size, 2);
  sample::device_array<bf16> device_y(y), device_dy(dy), device_dx(size);
  const double time = sample::median_microseconds([&] {
    sample::launch_by_width(columns, [&]<int Width, int Divisor>() {
      softmax_backward<Width, Divisor>
          <<<rows, 1>>>(device_y.get(), device_dy.get(), device_dx.get(), rows, columns);
    });
  });

  const auto dx = device_dx.to_host();
  for (std::size_t begin = 0; begin < size; begin += columns) {
    auto at = [&](const std::vector<bf16> &matrix, auto i) { return double(matrix[begin + i]); };
    const double dot = sample::sum_of(columns, [&](auto i) { return at(y, i) * at(dy, i); });
    sample::expect_row(&dx[begin], begin / columns, columns, 1e-2, 1e-2,
                       [&](auto i) { return at(y, i) * (at(dy, i) - dot); });
  }
  sample::report_rows("softmax_backward", rows, columns, 3.0 * size * sizeof(bf16), time);
}
