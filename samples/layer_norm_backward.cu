// layer_norm_backward: the gradients of layer_norm.cu by x, weight and bias, from the mean and 1 /
// standard deviation of each row, which a forward pass keeps; bf16 in memory, f32 inside. Blocks
// take many rows each and add up their share of the gradients by weight and bias; a second kernel
// adds these.
//
//   layer_norm_backward [ROWS COLUMNS]      up to 16384 columns
#include "norm.h"

int main(int argc, char **argv) {
  const unsigned rows = sample::size_argument(argc, argv, 1, 4096);
  const unsigned columns = sample::columns_argument("layer_norm_backward", argc, argv, 2, 1024);

  const auto x = sample::random_vector<bf16>(std::size_t{rows} * columns, 1);
  std::vector<float> mean(rows), rstd(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    auto value = [&](auto i) { return double(x[row * columns + i]); };
    mean[row] = sample::sum_of(columns, value) / columns;
    const double squares = sample::sum_of(
        columns, [&](auto i) { return (value(i) - mean[row]) * (value(i) - mean[row]); });
    rstd[row] = 1 / std::sqrt(squares / columns + 1e-5);
  }
  run_norm_backward<true>("layer_norm_backward", x, sample::random_vector<bf16>(columns, 2), mean,
                          rstd);
}
