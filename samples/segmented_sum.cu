// segmented_sum: y[s] = the sum of x[offsets[s]] ... x[offsets[s + 1] - 1], for segments of any
// length, also none (the rows of a CSR matrix). A block has a few segments side by side, and goes
// over them in steps of one width, until the longest ends.
//
//   segmented_sum [SEGMENTS LENGTH]      lengths are random, LENGTH on average
#include "arrays.h"

namespace ct = cuda::tiles;
using namespace sample;

/// Height: segments of a block. Width: elements of each in one step.
template <int Height, int Width>
__tile_global__ void segmented_sum(const float *__restrict__ x, const int *__restrict__ offsets,
                                   float *__restrict__ y, unsigned segments) {
  using column = ct::shape<Height, 1>;
  const int block = ct::bid().x;
  auto s = block * Height + places<Height>();
  auto exists = s < int(segments);
  auto first = ct::reshape(ct::load_masked(offsets + s, exists, 0), column{});
  auto end = ct::reshape(ct::load_masked(offsets + s + 1, exists, 0), column{});
  const int longest = int(ct::reduce_max<0>(end - first));

  auto lane = ct::iota<ct::tile<int, ct::shape<1, Width>>>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<Height, Width>>>();
  for (auto step : ct::irange(0, longest, Width)) {
    auto at = first + (lane + step);
    sum = sum + ct::load_masked(x + at, at < end, 0.0f);
  }
  in_tiles<Height>(y, segments)
      .store_masked(ct::reshape(ct::sum<1>(sum), ct::shape<Height>{}), block);
}

/// Launches the instance for segments of this length.
void launch_segmented_sum(const float *x, const int *offsets, float *y, unsigned segments,
                          unsigned length) {
  if (length <= 64)
    segmented_sum<128, 8><<<tiles_of(segments, 128), 1>>>(x, offsets, y, segments);
  else if (length <= 1024)
    segmented_sum<16, 128><<<tiles_of(segments, 16), 1>>>(x, offsets, y, segments);
  else
    segmented_sum<1, 2048><<<segments, 1>>>(x, offsets, y, segments);
}

int main(int argc, char **argv) {
  const unsigned segments = size_argument(argc, argv, 1, 65536);
  const unsigned length = size_argument(argc, argv, 2, 100);
  const auto offsets = random_offsets(segments, length, 1);
  const auto n = static_cast<unsigned>(offsets[segments]);
  const auto x = random_vector<float>(n + 1, 2); // never empty
  device_array<float> device_x(x), device_y(segments);
  device_array<int> device_offsets(offsets);
  const double time = median_microseconds([&] {
    launch_segmented_sum(device_x.get(), device_offsets.get(), device_y.get(), segments, length);
  });

  const auto y = device_y.to_host();
  for (unsigned s = 0; s < segments; ++s) {
    double sum = 0, magnitude = 0;
    for (int i = offsets[s]; i < offsets[s + 1]; ++i)
      sum += x[i], magnitude += std::abs(x[i]);
    expect_near(y[s], sum, 0, 1e-6 * magnitude, s, 0);
  }
  std::printf("segmented_sum %u segments, %u elements: %.1f us, %.1f GB/s\n", segments, n, time,
              giga_per_second(4.0 * n + 8.0 * segments, time));
}
