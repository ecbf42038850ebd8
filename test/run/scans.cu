// Prefix sums and products, and the places of extremes, along every dimension of tiles of rank 1 to
// 4: within a thread, over lanes and over warps, forwards and backwards.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <int Dim, int Count, class Shape, class T, class I>
__tile_global__ void scan_all(const T *x, T *forward, T *backward, T *product, I *most, I *least) {
  auto i = ct::reshape(ct::iota<ct::tile<int, ct::shape<Count>>>(), Shape{});
  auto value = ct::load(x + i);
  ct::store(forward + i, ct::partial_sum<Dim>(value));
  ct::store(backward + i, ct::partial_sum<Dim, ct::scan_direction::backward>(value));
  ct::store(product + i, ct::partial_prod<Dim>(value));
  auto largest = ct::max_element<Dim>(value), smallest = ct::min_element<Dim>(value);
  ct::store(most + i, ct::broadcast(largest, Shape{}));
  ct::store(least + i, ct::broadcast(smallest, Shape{}));
}

// One dimension of n elements, `inner` elements apart.
template <int Dim, int count, class T, class Shape>
void check(const char *name, Shape, int n, int inner) {
  run::array<T> x(count, [&](auto i) {
    // Factors of one or two, so that products stay small; seldom minus one.
    return i % 5 == 0 ? -1 : i % 997 == 3 ? 2 : 1;
  });
  run::array<T> forward(count), backward(count), product(count);
  run::array<unsigned> most(count), least(count);
  scan_all<Dim, count, Shape><<<1, 1>>>(x.device, forward.device, backward.device, product.device,
                                        most.device, least.device);
  auto first = [&](int i) { return i - i / inner % n * inner; };
  std::vector<double> sums(count), backs(count), products(count);
  std::vector<int> highest(count), lowest(count);
  for (int i = 0; i < count; ++i) {
    bool is_first = i == first(i);
    sums[i] = x[i] + (is_first ? 0 : sums[i - inner]);
    products[i] = x[i] * (is_first ? 1 : products[i - inner]);
    highest[i] = is_first || x[i] > x[first(i) + highest[i - inner] * inner] ? i / inner % n
                                                                             : highest[i - inner];
    lowest[i] = is_first || x[i] < x[first(i) + lowest[i - inner] * inner] ? i / inner % n
                                                                           : lowest[i - inner];
  }
  for (int i = count - 1; i >= 0; --i)
    backs[i] = x[i] + (i / inner % n == n - 1 ? 0 : backs[i + inner]);
  auto last = [&](int i) { return first(i) + (n - 1) * inner; };
  std::printf("%s\n", name);
  run::expect("forward", forward, [&](auto i) { return sums[i]; });
  run::expect("backward", backward, [&](auto i) { return backs[i]; });
  run::expect("product", product, [&](auto i) { return products[i]; });
  run::expect("most", most, [&](auto i) { return highest[last(i)]; });
  run::expect("least", least, [&](auto i) { return lowest[last(i)]; });
}

int main() {
  check<0, 1, int>("1", ct::shape<1>{}, 1, 1);
  check<0, 16, int>("16", ct::shape<16>{}, 16, 1);
  check<0, 2048, float>("2048", ct::shape<2048>{}, 2048, 1);
  check<1, 8192, int>("1x8192", ct::shape<1, 8192>{}, 8192, 1);
  check<0, 2048, int>("512x4 along 0", ct::shape<512, 4>{}, 512, 4);
  check<1, 2048, __half>("64x32 along 1", ct::shape<64, 32>{}, 32, 1);
  check<0, 4096, float>("64x64 along 0", ct::shape<64, 64>{}, 64, 64);
  check<1, 2048, int>("2x256x4 along 1", ct::shape<2, 256, 4>{}, 256, 4);
  check<2, 1024, signed char>("4x4x64 along 2", ct::shape<4, 4, 64>{}, 64, 1);
  check<0, 256, int>("4x2x8x4 along 0", ct::shape<4, 2, 8, 4>{}, 4, 64);
  check<2, 2048, long long>("4x2x64x4 along 2", ct::shape<4, 2, 64, 4>{}, 64, 4);
  return run::finish();
}
