// sum: the sum of n floats. Blocks add up tiles in registers, and each reduces its own once. Their
// sums are added by a second kernel, in the same order in every run and on every GPU: there are as
// many blocks as the array asks for, not the GPU. Or they are added by atomics in one kernel, in
// the order in which blocks end.
//
//   sum [N]
#include "arrays.h"

namespace ct = cuda::tiles;
using namespace sample;

constexpr int tile = 4096;
constexpr unsigned most_blocks = 1024; // also the tile of the second kernel

/// The sum of every tile of x whose number is this block's but for a multiple of all blocks.
__tile__ float own_sum(const float *x, unsigned n) {
  auto tiles = in_tiles<tile>(x, n);
  const int first = ct::bid().x, blocks = ct::num_blocks().x, end = (n + tile - 1) / tile;
  auto sum = ct::zeros<ct::tile<float, ct::shape<tile>>>();
  for (auto i : ct::irange(first, end, blocks))
    sum = sum + tiles.load_masked(i);
  return float(ct::sum<0>(sum));
}

__tile_global__ void sum_of_tiles(const float *__restrict__ x, float *__restrict__ sums,
                                  unsigned n) {
  sums[ct::bid().x] = own_sum(x, n);
}

__tile_global__ void sum_of_sums(const float *__restrict__ sums, float *__restrict__ whole,
                                 unsigned blocks) {
  *whole = float(ct::sum<0>(in_tiles<most_blocks>(sums, blocks).load_masked(0)));
}

__tile_global__ void sum_by_atomics(const float *__restrict__ x, float *whole, unsigned n) {
  ct::atomic_add(whole, own_sum(x, n), relaxed{}, on_device{});
}

int main(int argc, char **argv) {
  const unsigned n = size_argument(argc, argv, 1, 1 << 24);
  const unsigned blocks = std::min(tiles_of(n, tile), most_blocks);
  const auto x = random_vector<float>(n, 1);
  device_array<float> device_x(x), sums(blocks), whole(1);
  double wanted = 0, magnitude = 0;
  for (float value : x)
    wanted += value, magnitude += std::abs(value);

  auto report = [&](const char *name, auto launch) {
    const double time = median_microseconds(launch);
    expect_near(whole.to_host()[0], wanted, 0, 1e-6 * magnitude, 0, 0);
    std::printf("sum %u %s: %.1f us, %.1f GB/s\n", n, name, time,
                giga_per_second(double(n) * sizeof(float), time));
  };
  report("in two kernels", [&] {
    sum_of_tiles<<<blocks, 1>>>(device_x.get(), sums.get(), n);
    sum_of_sums<<<1, 1>>>(sums.get(), whole.get(), blocks);
  });
  report("by atomics", [&] {
    clear(whole.get(), 1);
    sum_by_atomics<<<blocks, 1>>>(device_x.get(), whole.get(), n);
  });
}
