// dropout: y[i] = x[i] / (1 - p) where number i is at least p, else 0. The numbers are Philox
// 4x32-10's, a function of seed and position, so the gradient computes them again instead of
// reading a mask; it is the same kernel. bf16 in memory.
//
// One call of Philox gives four numbers. They go to four parts of a block's elements, so that each
// part is a tile that lies in one piece.
//
//   dropout [SIZE]
#include "rows.h"

#include <cstdint>

constexpr int width = 1024, words = 4;

/// The constants of Philox 4x32: multipliers of each round, and what is added to the keys after it.
constexpr unsigned multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
constexpr unsigned weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;

/// Words of counters, then of results.
using words_of_block = ct::tile<unsigned, ct::shape<width>>;
struct philox_words {
  words_of_block word[words];
};

__tile__ philox_words philox(words_of_block counter, unsigned key0, unsigned key1) {
  auto zeros = ct::zeros<words_of_block>();
  philox_words now{{counter, zeros, zeros, zeros}};
  for (int round = 0; round < 10; ++round) {
    auto [a, b, c, d] = now.word;
    now = {{ct::mulhi(c, multiplier1) ^ b ^ key0, c * multiplier1,
            ct::mulhi(a, multiplier0) ^ d ^ key1, a * multiplier0}};
    key0 += weyl0, key1 += weyl1;
  }
  return now;
}

/// threshold: p times 2^32.
template <int Divisor>
__tile_global__ void dropout(const bf16 *__restrict__ x, bf16 *__restrict__ y, unsigned size,
                             unsigned threshold, float scale, unsigned long long seed) {
  size = ct::assume_divisible<Divisor>(size);
  auto parts_of = [&](auto *p) {
    return ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(p), ct::extents{size}},
                              ct::shape<width>{}};
  };
  auto from = parts_of(x);
  auto to = parts_of(y);

  const int block = ct::bid().x;
  auto counter = ct::iota<words_of_block>() + unsigned(block * width);
  auto numbers = philox(counter, unsigned(seed), unsigned(seed >> 32));
  for (int i = 0; i < words; ++i) {
    auto values = ct::element_cast<float>(from.load_masked(words * block + i)) * scale;
    auto kept = ct::select(numbers.word[i] >= threshold, values, ct::zeros<decltype(values)>());
    to.store_masked(ct::element_cast<bf16>(kept), words * block + i);
  }
}

/// Number `position` by the definition.
unsigned philox_at(std::uint64_t position, std::uint64_t seed) {
  const std::uint64_t block = position / (words * width), part = position / width % words;
  std::uint32_t c[words] = {std::uint32_t(block * width + position % width)};
  std::uint32_t key[] = {std::uint32_t(seed), std::uint32_t(seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{multiplier0} * c[0],
                        p1 = std::uint64_t{multiplier1} * c[2];
    const std::uint32_t next[] = {std::uint32_t(p1 >> 32) ^ c[1] ^ key[0], std::uint32_t(p1),
                                  std::uint32_t(p0 >> 32) ^ c[3] ^ key[1], std::uint32_t(p0)};
    std::copy(next, next + words, c);
    key[0] += weyl0, key[1] += weyl1;
  }
  return c[part];
}

int main(int argc, char **argv) {
  const unsigned size = sample::size_argument(argc, argv, 1, 1 << 22);
  constexpr double p = 0.1;
  constexpr unsigned threshold = p * 0x1p32;
  constexpr float scale = 1 / (1 - p);
  constexpr unsigned long long seed = 0x123456789ABCDEF;

  const auto x = sample::random_vector<bf16>(size, 1), dy = sample::random_vector<bf16>(size, 2);
  sample::device_array<bf16> device_x(x), device_dy(dy), device_y(size), device_dx(size);
  const unsigned blocks = (size - 1) / (words * width) + 1;
  auto run = [&](const char *name, const sample::device_array<bf16> &from,
                 const sample::device_array<bf16> &to, const std::vector<bf16> &inputs) {
    const double time = sample::median_microseconds([&] {
      sample::launch_by_divisor(size, [&]<int Divisor>() {
        dropout<Divisor><<<blocks, 1>>>(from.get(), to.get(), size, threshold, scale, seed);
      });
    });
    const auto got = to.to_host();
    for (unsigned i = 0; i < size; ++i)
      sample::expect_near(float(got[i]),
                          philox_at(i, seed) >= threshold ? float(inputs[i]) / (1 - p) : 0, 1e-2, 0,
                          0, i);
    sample::report_rows(name, 1, size, 2.0 * size * sizeof(bf16), time);
  };
  run("dropout", device_x, device_y, x);
  run("dropout backward", device_dy, device_dx, dy);
}
