// rope: rotary position embedding. Each head's vector is halves a and b; by an angle for each pair
// of their elements they become a cos - b sin and b cos + a sin. bf16 in memory, f32 inside. The
// gradient is the rotation back. One token and 16 of its heads per block; cos and sin are tables of
// positions, and tokens may have any position.
//
//   rope [TOKENS HEADS DEPTH]      an even depth up to 256
#include "rows.h"

/// Width: a power of two that holds half of a vector. direction: 1, or -1 for gradients.
template <int Width, int Divisor>
__tile_global__ void rope(const bf16 *__restrict__ x, const int *__restrict__ positions,
                          const float *__restrict__ cos, const float *__restrict__ sin,
                          bf16 *__restrict__ y, unsigned tokens, unsigned heads, unsigned half,
                          unsigned length, float direction) {
  half = ct::assume_divisible<Divisor>(half);
  auto halves_of = [&](auto *p) {
    auto extents = ct::extents{tokens, heads, 2u, half};
    return ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(p), extents},
                              ct::shape<1, 16, 1, Width>{}};
  };
  auto from = halves_of(x);
  auto to = halves_of(y);

  const int group = ct::bid().x, token = ct::bid().y, position = positions[token];
  auto c = rows_of<Width>(cos, length, half).load_masked(position, 0);
  auto s = rows_of<Width>(sin, length, half).load_masked(position, 0) * direction;
  auto a = ct::element_cast<float>(from.load_masked(token, group, 0, 0));
  auto b = ct::element_cast<float>(from.load_masked(token, group, 1, 0));
  to.store_masked(ct::element_cast<bf16>(a * c - b * s), token, group, 0, 0);
  to.store_masked(ct::element_cast<bf16>(b * c + a * s), token, group, 1, 0);
}

int main(int argc, char **argv) {
  const unsigned tokens = sample::size_argument(argc, argv, 1, 1024);
  const unsigned heads = sample::size_argument(argc, argv, 2, 32);
  const unsigned depth = sample::size_argument(argc, argv, 3, 128);
  if (depth % 2 != 0 || depth > 256)
    return std::fprintf(stderr, "error: rope takes an even depth up to 256\n"), 1;
  const unsigned half = depth / 2, length = tokens + 100;
  const std::size_t size = std::size_t{tokens} * heads * depth;

  const auto x = sample::random_vector<bf16>(size, 1);
  std::vector<int> positions(tokens);
  for (unsigned token = 0; token < tokens; ++token)
    positions[token] = (token * 7 + 3) % length;
  std::vector<float> cos(std::size_t{length} * half), sin(cos.size());
  for (std::size_t i = 0; i < cos.size(); ++i) {
    const double angle = (i / half) * std::pow(10000.0, -double(i % half) / half);
    cos[i] = std::cos(angle), sin[i] = std::sin(angle);
  }

  sample::device_array<bf16> device_x(x), device_y(size), device_back(size);
  sample::device_array<int> device_positions(positions);
  sample::device_array<float> device_cos(cos), device_sin(sin);
  auto turn = [&](const bf16 *from, bf16 *to, float direction) {
    sample::launch_by_width<32, 128>(half, [&]<int Width, int Divisor>() {
      rope<Width, Divisor><<<dim3((heads + 15) / 16, tokens), 1>>>(
          from, device_positions.get(), device_cos.get(), device_sin.get(), to, tokens, heads, half,
          length, direction);
    });
  };
  const double time = sample::median_microseconds([&] { turn(device_x.get(), device_y.get(), 1); });
  const double time_back =
      sample::median_microseconds([&] { turn(device_y.get(), device_back.get(), -1); });

  const auto y = device_y.to_host(), back = device_back.to_host();
  for (std::size_t begin = 0; begin < size; begin += depth) {
    const std::size_t angles = std::size_t(positions[begin / depth / heads]) * half;
    sample::expect_row(&y[begin], begin / depth, depth, 1e-2, 1e-2, [&](unsigned i) {
      const double c = cos[angles + i % half], s = sin[angles + i % half];
      const double a = x[begin + i % half], b = x[begin + half + i % half];
      return i < half ? a * c - b * s : b * c + a * s;
    });
    sample::expect_row(&back[begin], begin / depth, depth, 1e-2, 2e-2,
                       [&](unsigned i) { return double(x[begin + i]); });
  }
  const double bytes = 2.0 * size * sizeof(bf16);
  sample::report_rows("rope", std::size_t{tokens} * heads, depth, bytes, time);
  sample::report_rows("rope backward", std::size_t{tokens} * heads, depth, bytes, time_back);
}
