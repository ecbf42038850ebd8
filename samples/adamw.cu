// adamw: a step of AdamW for many tensors in one launch; f32. A tensor is a row of a table: the
// addresses of its weights, gradients and both moments, and its length. A block has 4096 elements;
// it asks a list which tensor they belong to.
//
//   adamw [TENSORS LENGTH]      lengths from 1 to about LENGTH
#include "sample.h"

#include <cuda_tile.h>

#include <cstdint>

namespace ct = cuda::tiles;

constexpr int chunk = 4096;

/// The columns of the table.
enum column { weights_of, gradients_of, first_moments_of, second_moments_of, length_of, columns };

/// What a step does; corrections: 1 - beta^step.
struct settings {
  float rate = 1e-3f, beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f, decay = 1e-2f;
  float correction1 = 0.19f, correction2 = 0.001999f;
};

/// tensor_of: of each block; first_block: of each tensor.
__tile_global__ void adamw(const std::uint64_t *__restrict__ table,
                           const int *__restrict__ tensor_of, const int *__restrict__ first_block,
                           float rate, float beta1, float beta2, float epsilon, float decay,
                           float correction1, float correction2) {
  const int tensor = tensor_of[ct::bid().x], part = ct::bid().x - first_block[tensor];
  table += tensor * columns;
  const auto length = unsigned(table[length_of]);
  auto parts_of = [&](column which) {
    auto *p = ct::assume_aligned<16>(reinterpret_cast<float *>(table[which]));
    return ct::partition_view{ct::tensor_span{p, ct::extents{length}}, ct::shape<chunk>{}};
  };
  auto weights = parts_of(weights_of), firsts = parts_of(first_moments_of),
       seconds = parts_of(second_moments_of);

  auto gradient = parts_of(gradients_of).load_masked(part);
  auto weight = weights.load_masked(part);
  auto first = firsts.load_masked(part) * beta1 + gradient * (1 - beta1);
  auto second = seconds.load_masked(part) * beta2 + gradient * gradient * (1 - beta2);
  auto size = ct::sqrt(second / correction2) + epsilon;
  weights.store_masked(weight * (1 - rate * decay) - first / size * (rate / correction1), part);
  firsts.store_masked(first, part);
  seconds.store_masked(second, part);
}

int main(int argc, char **argv) {
  const unsigned tensors = sample::size_argument(argc, argv, 1, 40);
  const unsigned longest = sample::size_argument(argc, argv, 2, 100000);
  constexpr settings s;

  // All tensors lie in four arrays, each tensor at a multiple of 16 bytes.
  sample::random_numbers random(5);
  std::vector<std::size_t> begins(tensors), lengths(tensors);
  std::vector<int> tensor_of, first_block(tensors);
  std::size_t size = 0, elements = 0;
  for (unsigned i = 0; i < tensors; ++i) {
    begins[i] = size, lengths[i] = 1 + random.below(longest);
    size += (lengths[i] + 3) / 4 * 4, elements += lengths[i];
    first_block[i] = tensor_of.size();
    tensor_of.resize(tensor_of.size() + (lengths[i] + chunk - 1) / chunk, i);
  }
  auto squares = sample::random_vector<float>(size, 4);
  for (float &square : squares)
    square *= square;
  const std::vector<float> before[] = {sample::random_vector<float>(size, 1),
                                       sample::random_vector<float>(size, 2),
                                       sample::random_vector<float>(size, 3), squares};
  sample::device_array<float> arrays[] = {
      sample::device_array<float>(before[0]), sample::device_array<float>(before[1]),
      sample::device_array<float>(before[2]), sample::device_array<float>(before[3])};
  std::vector<std::uint64_t> table;
  for (unsigned i = 0; i < tensors; ++i) {
    for (const auto &array : arrays)
      table.push_back(reinterpret_cast<std::uint64_t>(array.get() + begins[i]));
    table.push_back(lengths[i]);
  }
  sample::device_array<std::uint64_t> device_table(table);
  sample::device_array<int> device_tensor_of(tensor_of), device_first_block(first_block);
  auto step = [&] {
    adamw<<<tensor_of.size(), 1>>>(device_table.get(), device_tensor_of.get(),
                                   device_first_block.get(), s.rate, s.beta1, s.beta2, s.epsilon,
                                   s.decay, s.correction1, s.correction2);
  };

  sample::seconds_once(step);
  const auto weights = arrays[weights_of].to_host(), firsts = arrays[first_moments_of].to_host(),
             seconds = arrays[second_moments_of].to_host();
  for (unsigned tensor = 0; tensor < tensors; ++tensor)
    for (std::size_t i = begins[tensor]; i < begins[tensor] + lengths[tensor]; ++i) {
      const double gradient = before[gradients_of][i],
                   first = s.beta1 * double(before[first_moments_of][i]) +
                           (1 - double(s.beta1)) * gradient,
                   second = s.beta2 * double(before[second_moments_of][i]) +
                            (1 - double(s.beta2)) * gradient * gradient;
      const double change = first / s.correction1 / (std::sqrt(second / s.correction2) + s.epsilon);
      const double weight = before[weights_of][i] * (1 - double(s.rate) * s.decay);
      sample::expect_near(firsts[i], first, 1e-5, 1e-6, tensor, i - begins[tensor]);
      sample::expect_near(seconds[i], second, 1e-5, 1e-6, tensor, i - begins[tensor]);
      sample::expect_near(weights[i], weight - s.rate * change, 1e-5, 1e-6, tensor,
                          i - begins[tensor]);
    }
  const double time = sample::median_microseconds(step);
  std::printf("adamw of %u tensors, %zu elements: %.1f us, %.1f GB/s\n", tensors, elements, time,
              sample::giga_per_second(7.0 * elements * sizeof(float), time));
}
