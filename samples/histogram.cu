// histogram: how many of n floats in [-1, 1) are in each of 64, 256 and 2048 bins of one width.
// Each block counts in memory of its own, a local array under tiles of pointers, and adds its
// counts to those of all blocks in the end.
//
//   histogram [N]
#include "arrays.h"

namespace ct = cuda::tiles;
using namespace sample;

constexpr int tile = 4096;

/// Bins is a power of two, so that (x + 1) * scale is exact but for the sum, and host and GPU find
/// the same bin.
template <int Bins> constexpr float scale = 0.5f * Bins;

template <int Bins> __tile_global__ void histogram(const float *__restrict__ x,
                                                   unsigned *__restrict__ counts, unsigned n) {
  auto tiles = in_tiles<tile>(x, n);
  auto bins = places<Bins>();
  auto ones = ct::ones<ct::tile<unsigned, ct::shape<tile>>>();
  unsigned own[Bins];
  ct::store(own + bins, ct::zeros<ct::tile<unsigned, ct::shape<Bins>>>());

  const int first = ct::bid().x, blocks = ct::num_blocks().x, end = (n + tile - 1) / tile;
  for (auto i : ct::irange(first, end, blocks)) {
    auto bin = ct::element_cast<int>((tiles.load_masked(i) + 1.0f) * scale<Bins>);
    auto exists = places<tile, unsigned>() < n - unsigned(i) * tile;
    ct::atomic_add_masked(own + bin, ones, exists, relaxed{}, in_block{});
  }
  ct::atomic_add(counts + bins, ct::load(own + bins), relaxed{}, on_device{});
}

template <int Bins> void run(const std::vector<float> &x, const device_array<float> &device_x) {
  const unsigned n = static_cast<unsigned>(x.size());
  const unsigned blocks = resident_blocks(tiles_of(n, tile));
  device_array<unsigned> counts(Bins);
  const double time = median_microseconds([&] {
    clear(counts.get(), Bins);
    histogram<Bins><<<blocks, 1>>>(device_x.get(), counts.get(), n);
  });

  std::vector<unsigned> wanted(Bins);
  for (float value : x)
    ++wanted[static_cast<int>((value + 1.0f) * scale<Bins>)];
  expect_equal("count", counts.to_host(), wanted);
  std::printf("histogram %u in %d bins: %.1f us, %.1f GB/s\n", n, Bins, time,
              giga_per_second(double(n) * sizeof(float), time));
}

int main(int argc, char **argv) {
  const unsigned n = size_argument(argc, argv, 1, 1 << 24);
  const auto x = random_vector<float>(n, 1);
  device_array<float> device_x(x);
  run<64>(x, device_x);
  run<256>(x, device_x);
  run<2048>(x, device_x);
}
