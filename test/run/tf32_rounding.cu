// Floats that become tf32 are rounded to the nearest, ties to even, whether they are stored as
// floats again or are factors of a product, on either side of it. NVIDIA's compiler for Tile C++
// gives these very bits, and denormals stay.
#include "run.h"

#include <cuda_tf32.h>
#include <cuda_tile.h>

#include <cstring>

namespace ct = cuda::tiles;

template <int Rows, int Columns> __tile__ auto view(float *p) {
  return ct::partition_view{ct::tensor_span{p, ct::extents<int, Rows, Columns>{}},
                            ct::shape<Rows, Columns>{}};
}

__tile_global__ void cast(float *a, float *c) {
  auto tile = ct::element_cast<__nv_tf32>(view<64, 32>(a).load(0, 0));
  view<64, 32>(c).store(ct::element_cast<float>(tile), 0, 0);
}

__tile_global__ void product(float *a, float *b, float *c) {
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  sum = ct::mma(ct::element_cast<__nv_tf32>(view<64, 32>(a).load(0, 0)),
                ct::element_cast<__nv_tf32>(view<32, 64>(b).load(0, 0)), sum);
  view<64, 64>(c).store(sum, 0, 0);
}

// Through tiles of pointers to tf32.
__tile_global__ void reversed(float *a, __nv_tf32 *c) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto *p = reinterpret_cast<__nv_tf32 *>(a);
  ct::store(c + i, ct::load(p + (63 - i)));
  ct::store_masked(c + 64 + i, ct::load_masked(p + i, i < 32, ct::element_cast<__nv_tf32>(i)),
                   i > 0);
}

constexpr unsigned one = 0x3f800000u, sign = 0x80000000u;
constexpr unsigned inputs[] = {one + 0x1800,
                               one + 0x1000,
                               one + 0x3000,
                               one + 0x1001,
                               one + 0x0800,
                               sign + one + 0x1000,
                               sign + one + 0x1800,
                               one + 0x7fffff,
                               0x7f7fffff,
                               0x1fff,
                               0x7fffff,
                               0x7f800000};

float of_bits(unsigned bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
float rounded(unsigned bits) { return of_bits((bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu); }

int main() {
  constexpr int count = sizeof inputs / sizeof *inputs;
  auto first = [](std::size_t i, std::size_t step) {
    return i % step == 0 && i / step < count ? of_bits(inputs[i / step]) : 0.0f;
  };
  run::array<float> down(64 * 32, [&](std::size_t i) { return first(i, 32); });
  run::array<float> across(32 * 64, [&](std::size_t i) { return i < 64 ? first(i, 1) : 0.0f; });
  run::array<float> ones_down(64 * 32, [](std::size_t i) { return i % 32 == 0; });
  run::array<float> ones_across(32 * 64, [](std::size_t i) { return i < 64; });
  run::array<float> c(64 * 32), left(64 * 64), right(64 * 64);
  cast<<<1, 1>>>(down, c);
  run::expect(
      "cast", c,
      [&](std::size_t i) { return i % 32 ? 0.0f : rounded(i / 32 < count ? inputs[i / 32] : 0); },
      0);
  product<<<1, 1>>>(down, ones_across, left);
  run::expect(
      "left", left, [&](std::size_t i) { return i / 64 < count ? rounded(inputs[i / 64]) : 0.0f; },
      0);
  product<<<1, 1>>>(ones_down, across, right);
  run::expect(
      "right", right,
      [&](std::size_t i) { return i % 64 < count ? rounded(inputs[i % 64]) : 0.0f; }, 0);
  run::array<float> turned(128);
  reversed<<<1, 1>>>(ones_across, reinterpret_cast<__nv_tf32 *>(static_cast<float *>(turned)));
  run::expect(
      "reversed", turned,
      [](std::size_t i) { return i < 64    ? 1.0f
                                 : i == 64 ? 0.0f
                                 : i < 96  ? 1.0f
                                           : i - 64.0f; }, 0);
  return run::finish();
}
