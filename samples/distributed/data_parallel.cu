// data_parallel: a training step of two linear layers with gelu between them, whose rows of x are
// divided among GPUs, as data_parallel.py has it, bf16: forward, backward, an all-reduce of the
// gradients, gradient descent. The gradient of the second layer is added up while that of the first
// one is computed.
//
//   data_parallel [--processes] [--gpus=N] [ROWS INPUTS HIDDEN OUTPUTS]
#include "kernels.cu"
#include "../product.h"
#include "ranks.h"

namespace {

constexpr float rate = 0.5f;
constexpr unsigned width = 4096; // elements of a block

/// c = op(a) op(b), c: m x n.
template <bool TransposedA, bool TransposedB>
void multiply(const bf16 *a, const bf16 *b, bf16 *c, unsigned m, unsigned n, unsigned k) {
  matmul<128, 256, 64, TransposedA, TransposedB>
      <<<dim3(sample::ceil_div(n, 256), sample::ceil_div(m, 128)), 1>>>(a, b, c, m, n, k);
}

struct sizes {
  unsigned rows, inputs, hidden, outputs;

  std::size_t first() const { return std::size_t{hidden} * inputs; }
  std::size_t second() const { return std::size_t{outputs} * hidden; }
};

/// A rank's weights, its rows of x, and what these should give.
struct network {
  const sample::ranks &all;
  const sizes of; // rows: those of this rank
  const bool is_alone;
  sample::device_array<bf16> first, second, x, wanted;
  sample::device_array<bf16> z, h, dh, dz, y, dy, first_gradient, second_gradient;
  sample::device_array<float> losses;

  network(const sample::ranks &all, sizes of, bool is_alone, const std::vector<bf16> &first,
          const std::vector<bf16> &second, const std::vector<bf16> &x,
          const std::vector<bf16> &wanted)
      : all(all), of(of), is_alone(is_alone), first(first), second(second), x(x), wanted(wanted),
        z(std::size_t{of.rows} * of.hidden), h(std::size_t{of.rows} * of.hidden),
        dh(std::size_t{of.rows} * of.hidden), dz(std::size_t{of.rows} * of.hidden),
        y(wanted.size()), dy(wanted.size()), first_gradient(of.first()),
        second_gradient(of.second()), losses(blocks(wanted.size())) {}

  static unsigned blocks(std::size_t elements) {
    return sample::ceil_div(unsigned(elements), width);
  }

  cudaEvent_t added_up(sample::device_array<bf16> &gradient, std::size_t size) const {
    return is_alone ? nullptr : all.all_reduce(gradient.get(), size);
  }

  void descend(sample::device_array<bf16> &weight, sample::device_array<bf16> &gradient,
               std::size_t size, cudaEvent_t arrival) const {
    if (arrival)
      all.wait(arrival);
    update<width><<<blocks(size), 1>>>(weight.get(), gradient.get(), rate, unsigned(size));
  }

  void step() {
    const auto [rows, inputs, hidden, outputs] = of;
    const unsigned inner = rows * hidden, outer = rows * outputs;
    multiply<false, true>(x.get(), first.get(), z.get(), rows, hidden, inputs);
    activate<width><<<blocks(inner), 1>>>(z.get(), h.get(), inner);
    multiply<false, true>(h.get(), second.get(), y.get(), rows, outputs, hidden);
    const float factor = 2.0f / outer / (is_alone ? 1 : all.size); // the mean is of all ranks
    loss<width><<<blocks(outer), 1>>>(y.get(), wanted.get(), dy.get(), losses.get(), factor, outer);

    multiply<true, false>(dy.get(), h.get(), second_gradient.get(), outputs, hidden, rows);
    const cudaEvent_t of_second = added_up(second_gradient, of.second());
    multiply<false, false>(dy.get(), second.get(), dh.get(), rows, hidden, outputs);
    activate_backward<width><<<blocks(inner), 1>>>(z.get(), dh.get(), dz.get(), inner);
    multiply<true, false>(dz.get(), x.get(), first_gradient.get(), hidden, inputs, rows);
    const cudaEvent_t of_first = added_up(first_gradient, of.first());
    descend(second, second_gradient, of.second(), of_second);
    descend(first, first_gradient, of.first(), of_first);
  }
};

std::vector<bf16> weights(std::size_t size, unsigned inputs, unsigned seed) {
  std::vector<bf16> numbers = sample::random_vector<bf16>(size, seed);
  for (bf16 &number : numbers)
    number = bf16(float(number) * 1.7f / std::sqrt(float(inputs)));
  return numbers;
}

std::vector<bf16> part_of(const std::vector<bf16> &whole, int index, std::size_t size) {
  return {whole.begin() + index * size, whole.begin() + (index + 1) * size};
}

} // namespace

int main(int argc, char **argv) {
  const sample::launcher launcher(argc, argv);
  const unsigned rows = sample::size_argument(argc, argv, 1, 16384);
  const unsigned inputs = sample::size_argument(argc, argv, 2, 4096);
  const unsigned hidden = sample::size_argument(argc, argv, 3, 4 * inputs);
  const unsigned outputs = sample::size_argument(argc, argv, 4, inputs);
  launcher.require_multiple("ROWS", rows, 8 * launcher.gpus);
  for (auto [name, size] : {std::pair("INPUTS", inputs), {"HIDDEN", hidden}, {"OUTPUTS", outputs}})
    launcher.require_multiple(name, size, 8);
  return launcher.run([=](const sample::ranks &all) {
    const sizes whole{rows, inputs, hidden, outputs};
    const auto first = weights(whole.first(), inputs, 1),
               second = weights(whole.second(), hidden, 2),
               x = sample::random_vector<bf16>(std::size_t{rows} * inputs, 3),
               wanted = sample::random_vector<bf16>(std::size_t{rows} * outputs, 4);
    const unsigned share = rows / all.size;
    network ours(all, {share, inputs, hidden, outputs}, false, first, second,
                 part_of(x, all.rank, std::size_t{share} * inputs),
                 part_of(wanted, all.rank, std::size_t{share} * outputs));
    network one(all, whole, true, first, second, x, wanted);
    ours.step();
    one.step();
    sample::expect_whole(ours.first_gradient.to_host(), one.first_gradient.to_host());
    sample::expect_whole(ours.second_gradient.to_host(), one.second_gradient.to_host());
    sample::expect_whole(ours.first.to_host(), one.first.to_host());
    sample::expect_whole(ours.second.to_host(), one.second.to_host());
    const double time = all.microseconds([&] { ours.step(); });
    const double time_alone = all.microseconds_alone([&] { one.step(); });
    all.report("data_parallel " + std::to_string(rows) + "x" + std::to_string(inputs) + "x" +
                   std::to_string(hidden) + "x" + std::to_string(outputs),
               time, time_alone);
  });
}
