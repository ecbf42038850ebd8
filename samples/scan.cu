// scan: y[i] = x[0] + ... + x[i] for n floats, then for n ints, in one pass: each block scans a
// tile and adds the sum of all tiles in front of it, which it finds by decoupled look-back
// (look_back.h). The sums of floats are added in an order that depends on time.
//
//   scan [N]
#include "look_back.h"

namespace ct = cuda::tiles;
using namespace sample;

// Fewer and larger tiles leave less to look back at: 2^28 floats on an H200 in tiles of 4096 and
// 16384 take 805 and 673 us.
constexpr int tile = 16384;

template <class T> __tile_global__ void scan(const T *__restrict__ x, T *__restrict__ y,
                                             long_word *words, unsigned n) {
  const int i = next_tile(words);
  auto values = in_tiles<tile>(x, n).load_masked(i);
  const T own = T(ct::sum<0>(values));
  tell_sum(words, i, own);
  auto sums = ct::partial_sum<0>(values);
  in_tiles<tile>(y, n).store_masked(sums + sum_before(words, i, own), i);
}

template <class T> void run(const char *type, const std::vector<T> &x, double tolerance) {
  const unsigned n = static_cast<unsigned>(x.size()), tiles = tiles_of(n, tile);
  device_array<T> device_x(x), device_y(n);
  device_array<long_word> words(1 + tiles);
  const double time = median_microseconds([&] {
    clear(words.get(), 1 + tiles);
    scan<T><<<tiles, 1>>>(device_x.get(), device_y.get(), words.get(), n);
  });

  const auto y = device_y.to_host();
  double sum = 0, magnitude = 0;
  for (unsigned i = 0; i < n; ++i) {
    sum += x[i], magnitude += std::abs(double(x[i]));
    expect_near(double(y[i]), sum, 0, tolerance * magnitude, 0, i);
  }
  std::printf("scan %u %s: %.1f us, %.1f GB/s\n", n, type, time,
              giga_per_second(2.0 * n * sizeof(T), time));
}

int main(int argc, char **argv) {
  const unsigned n = size_argument(argc, argv, 1, 1 << 24);
  run("floats", random_vector<float>(n, 1), 1e-6);
  run("ints", random_integers(n, 8, 2), 0);
}
