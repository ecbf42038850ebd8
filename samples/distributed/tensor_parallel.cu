// tensor_parallel: two linear layers whose weights are divided among GPUs, as tensor_parallel.py
// has them: y = gelu(x W1^T + b1) W2^T, bf16. The first layer is divided by columns of its result,
// the second one along its sums, which an all-reduce adds. x is divided by rows: parts of the other
// GPUs arrive piece by piece while the multiplies of those that are here run. They are gathered by
// copy engines, which leave the multiprocessors to the multiplies.
//
//   tensor_parallel [--processes] [--gpus=N] [TOKENS INPUTS HIDDEN]
#include "kernels.cu"
#include "../product.h"
#include "ranks.h"

namespace {

constexpr unsigned pieces_of_part = 4, rows_of_tile = 128;

void first_layer(const bf16 *x, const bf16 *weight, const bf16 *bias, bf16 *h, unsigned rows,
                 unsigned outputs, unsigned inputs) {
  const dim3 grid(sample::ceil_div(outputs, 128), sample::ceil_div(rows, rows_of_tile));
  linear<rows_of_tile, 128, 64><<<grid, 1>>>(x, weight, bias, h, rows, outputs, inputs);
}

void second_layer(const bf16 *h, const bf16 *weight, bf16 *y, unsigned rows, unsigned outputs,
                  unsigned inputs) {
  const dim3 grid(sample::ceil_div(outputs, 256), sample::ceil_div(rows, rows_of_tile));
  matmul<rows_of_tile, 256, 64, false, true><<<grid, 1>>>(h, weight, y, rows, outputs, inputs);
}

/// Columns of a matrix.
std::vector<bf16> columns(const std::vector<bf16> &whole, std::size_t rows, std::size_t width,
                          std::size_t first, std::size_t count) {
  std::vector<bf16> part;
  part.reserve(rows * count);
  for (std::size_t row = 0; row < rows; ++row)
    part.insert(part.end(), whole.begin() + row * width + first,
                whole.begin() + row * width + first + count);
  return part;
}

std::vector<bf16> part_of(const std::vector<bf16> &whole, int index, std::size_t size) {
  return {whole.begin() + index * size, whole.begin() + (index + 1) * size};
}

/// A rank's part of the weights and of x, and both layers.
struct layers {
  const sample::ranks &all;
  const unsigned tokens, inputs, hidden, share; // hidden: of this rank; share: its rows of x
  sample::device_array<bf16> first, bias, second;
  sample::symmetric_array<bf16> part, x; // x: as gather() has it
  sample::device_array<bf16> h, y;

  layers(const sample::ranks &all, unsigned tokens, unsigned inputs, unsigned whole_hidden,
         const std::vector<bf16> &first, const std::vector<bf16> &bias,
         const std::vector<bf16> &second, const std::vector<bf16> &x)
      : all(all), tokens(tokens), inputs(inputs), hidden(whole_hidden / all.size),
        share(tokens / all.size), first(part_of(first, all.rank, std::size_t{hidden} * inputs)),
        bias(part_of(bias, all.rank, hidden)),
        second(columns(second, inputs, whole_hidden, std::size_t{hidden} * all.rank, hidden)),
        part(all, part_of(x, all.rank, std::size_t{share} * inputs)), x(all, x.size()),
        h(std::size_t{tokens} * hidden), y(x.size()) {}

  /// The rows from `row` on, of which x_rows points to the first one.
  void multiply(const bf16 *x_rows, unsigned row, unsigned rows) {
    first_layer(x_rows, first.get(), bias.get(), h.get() + std::size_t{row} * hidden, rows, hidden,
                inputs);
  }

  /// A piece of each rank's part of x.
  struct piece {
    unsigned start, rows; // of a part
    cudaEvent_t arrival;
  };

  /// Starts the messages that bring all parts of x: those of a piece stand behind one another.
  std::vector<piece> gather() const {
    const unsigned step =
        sample::ceil_div(sample::ceil_div(share, pieces_of_part), rows_of_tile) * rows_of_tile;
    std::vector<piece> pieces;
    for (unsigned start = 0; all.size > 1 && start < share; start += step) {
      const unsigned rows = std::min(step, share - start);
      pieces.push_back({start, rows,
                        all.all_gather(part.get() + std::size_t{start} * inputs,
                                       x.get() + std::size_t{start} * all.size * inputs,
                                       std::size_t{rows} * inputs)});
    }
    return pieces;
  }

  void multiply_own() { multiply(part.get(), all.rank * share, share); }

  /// The other ranks' rows of a piece.
  void multiply_others(const piece &of) {
    for (int far = 1; far < all.size; ++far) {
      const unsigned sender = (all.rank + far) % all.size;
      const std::size_t row_of_x = std::size_t{of.start} * all.size + sender * of.rows;
      multiply(x.get() + row_of_x * inputs, sender * share + of.start, of.rows);
    }
  }

  void first_layer_of_part(bool is_overlapped) {
    const std::vector<piece> pieces = gather();
    if (!is_overlapped)
      wait(pieces);
    multiply_own();
    for (const piece &each : pieces) {
      if (is_overlapped)
        all.wait(each.arrival);
      multiply_others(each);
    }
  }

  void wait(const std::vector<piece> &pieces) const {
    for (const piece &each : pieces)
      all.wait(each.arrival);
  }

  void forward() {
    first_layer_of_part(true);
    second_layer(h.get(), second.get(), y.get(), tokens, inputs, hidden);
    if (all.size > 1)
      all.wait(all.all_reduce(y.get(), std::size_t{tokens} * inputs));
  }
};

/// Weights of a layer with so many inputs, so that results are about 1.
std::vector<bf16> weights(std::size_t size, unsigned inputs, unsigned seed) {
  std::vector<bf16> numbers = sample::random_vector<bf16>(size, seed);
  for (bf16 &number : numbers)
    number = bf16(float(number) * 1.7f / std::sqrt(float(inputs)));
  return numbers;
}

} // namespace

int main(int argc, char **argv) {
  const sample::launcher launcher(argc, argv);
  const unsigned tokens = sample::size_argument(argc, argv, 1, 8192);
  const unsigned inputs = sample::size_argument(argc, argv, 2, 4096);
  const unsigned hidden = sample::size_argument(argc, argv, 3, 4 * inputs);
  launcher.require_multiple("TOKENS", tokens, launcher.gpus);
  launcher.require_multiple("INPUTS", inputs, 8);
  launcher.require_multiple("HIDDEN", hidden, 8 * launcher.gpus);
  return launcher.run([=](const sample::ranks &all) {
    const auto first = weights(std::size_t{hidden} * inputs, inputs, 1),
               bias = sample::random_vector<bf16>(hidden, 2),
               second = weights(std::size_t{inputs} * hidden, hidden, 3),
               x = sample::random_vector<bf16>(std::size_t{tokens} * inputs, 4);
    layers ours(all, tokens, inputs, hidden, first, bias, second, x);
    sample::device_array<bf16> whole_first(first), whole_bias(bias), whole_second(second),
        whole_x(x), h(std::size_t{tokens} * hidden), y(x.size());
    auto alone = [&] {
      first_layer(whole_x.get(), whole_first.get(), whole_bias.get(), h.get(), tokens, hidden,
                  inputs);
      second_layer(h.get(), whole_second.get(), y.get(), tokens, inputs, hidden);
    };
    alone();
    ours.forward();
    sample::expect_whole(ours.y.to_host(), y.to_host());
    const double time = all.microseconds([&] { ours.forward(); });
    const double time_alone = all.microseconds_alone(alone);
    all.report("tensor_parallel " + std::to_string(tokens) + "x" + std::to_string(inputs) + "x" +
                   std::to_string(hidden) + ", gathered",
               time, time_alone);

    const double overlapped = all.microseconds([&] { ours.first_layer_of_part(true); }),
                 in_turn = all.microseconds([&] { ours.first_layer_of_part(false); }),
                 messages = all.microseconds([&] { ours.wait(ours.gather()); }),
                 multiplies = all.microseconds([&] {
                   ours.multiply(whole_x.get(), 0, tokens);
                 });
    if (all.rank == 0)
      std::printf("    first layer: overlapped %.0f us, in turn %.0f us, messages alone %.0f us, "
                  "multiplies alone %.0f us\n",
                  overlapped, in_turn, messages, multiplies);
  });
}
