// vector_add: c = a + b. The smallest tile program: one view per array, one tile per block.
//
//   vector_add [N]
//
// N need not be a multiple of the tile: masked loads and stores leave out what lies behind the end.
#include "sample.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <int Tile> __tile_global__ void
add(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, unsigned n) {
  a = ct::assume_aligned<16>(a);
  b = ct::assume_aligned<16>(b);
  c = ct::assume_aligned<16>(c);
  auto tile = ct::shape<Tile>{};
  auto a_tiles = ct::partition_view{ct::tensor_span{a, ct::extents{n}}, tile};
  auto b_tiles = ct::partition_view{ct::tensor_span{b, ct::extents{n}}, tile};
  auto c_tiles = ct::partition_view{ct::tensor_span{c, ct::extents{n}}, tile};

  int block = ct::bid().x;
  c_tiles.store_masked(a_tiles.load_masked(block) + b_tiles.load_masked(block), block);
}

int main(int argc, char **argv) {
  constexpr unsigned tile = 1024;
  const unsigned n = sample::size_argument(argc, argv, 1, 1 << 24);

  const auto a = sample::random_vector<float>(n, 1), b = sample::random_vector<float>(n, 2);
  sample::device_array<float> device_a(a), device_b(b), device_c(n);
  const double time = sample::median_microseconds([&] {
    add<tile><<<(n + tile - 1) / tile, 1>>>(device_a.get(), device_b.get(), device_c.get(), n);
  });

  const auto c = device_c.to_host();
  for (unsigned i = 0; i < n; ++i)
    sample::expect_near(c[i], a[i] + b[i], 0, 0, 0, i);
  std::printf("vector_add %u: %.1f us, %.1f GB/s\n", n, time,
              sample::giga_per_second(3.0 * n * sizeof(float), time));
}
