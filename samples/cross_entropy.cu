// cross_entropy: the loss of each row, log(sum of exp(logits)) - logits[label], and its gradient by
// the logits, softmax(logits) - one at the label, divided by the number of rows; bf16 in memory,
// f32 inside. One row per block, read twice in chunks of columns, so that a row may have any
// length: first for its maximum and sum, then for the gradient.
//
//   cross_entropy [ROWS COLUMNS]
#include "rows.h"

template <int Chunk, int Divisor>
__tile_global__ void cross_entropy(const bf16 *__restrict__ logits, const int *__restrict__ labels,
                                   float *__restrict__ loss, bf16 *__restrict__ gradient,
                                   unsigned rows, unsigned columns) {
  columns = ct::assume_divisible<Divisor>(columns);
  auto from = rows_of<Chunk>(logits, rows, columns);
  auto to = rows_of<Chunk>(gradient, rows, columns);
  using one = ct::tile<float, ct::shape<1, 1>>;

  int row = ct::bid().x;
  auto chunks = ct::irange(0, int((columns + Chunk - 1) / Chunk));
  auto logits_of = [&](int chunk) {
    return ct::element_cast<float>(
        from.template load_masked<ct::view_padding::negative_inf>(row, chunk));
  };
  auto largest = ct::full<one>(-INFINITY), sum = ct::zeros<one>();
  for (auto chunk : chunks) {
    auto values = logits_of(chunk);
    auto now = ct::max(largest, ct::reduce_max<1>(values));
    sum = sum * ct::exp(largest - now) + ct::sum<1>(ct::exp(values - now));
    largest = now;
  }
  const int label = labels[row];
  loss[row] = float(largest + ct::log(sum)) - float(logits[std::size_t(row) * columns + label]);

  auto column = ct::iota<ct::tile<int, ct::shape<1, Chunk>>>();
  const float weight = 1 / float(rows);
  for (auto chunk : chunks) {
    auto softmax = ct::exp(logits_of(chunk) - largest) * (weight / sum);
    auto change = ct::select(column + int(chunk) * Chunk == label, softmax - weight, softmax);
    to.store_masked(ct::element_cast<bf16>(change), row, chunk);
  }
}

int main(int argc, char **argv) {
  constexpr int chunk = 4096;
  const unsigned rows = sample::size_argument(argc, argv, 1, 128);
  const unsigned columns = sample::size_argument(argc, argv, 2, 32000);
  const std::size_t size = std::size_t{rows} * columns;

  auto logits = sample::random_vector<bf16>(size, 1);
  for (bf16 &logit : logits)
    logit = bf16(8 * float(logit));
  sample::random_numbers random(2);
  std::vector<int> labels(rows);
  for (int &label : labels)
    label = random.below(columns);
  sample::device_array<bf16> device_logits(logits), device_gradient(size);
  sample::device_array<int> device_labels(labels);
  sample::device_array<float> device_loss(rows);
  const double time = sample::median_microseconds([&] {
    sample::launch_by_divisor(columns, [&]<int Divisor>() {
      cross_entropy<chunk, Divisor><<<rows, 1>>>(device_logits.get(), device_labels.get(),
                                                 device_loss.get(), device_gradient.get(), rows,
                                                 columns);
    });
  });

  const auto gradient = device_gradient.to_host();
  const auto loss = device_loss.to_host();
  for (std::size_t row = 0; row < rows; ++row) {
    // Logits below 8 are small enough for exp without subtracting their maximum.
    auto power = [&](auto i) { return std::exp(double(logits[row * columns + i])); };
    const double sum = sample::sum_of(columns, power);
    const unsigned label = labels[row];
    sample::expect_near(loss[row], std::log(sum / power(label)), 1e-4, 1e-4, row, 0);
    sample::expect_row(&gradient[row * columns], row, columns, 1e-2, 1e-9,
                       [&](auto i) { return (power(i) / sum - (i == label)) / rows; });
  }
  // The second reading of a row may come from the L2 cache and is not counted.
  sample::report_rows("cross_entropy", rows, columns, 2.0 * size * sizeof(bf16), time);
}
