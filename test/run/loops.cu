// for, while, do and irange with break and continue; tiles and scalars are carried from turn to
// turn.
#include "run.h"
#include <climits>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<16>>;

__tile__ auto indices(int start) { return ct::iota<ct::tile<int, ct::shape<16>>>() + start; }

__tile_global__ void sums(const float *x, float *y, int n) {
  auto total = ct::zeros<row>();
  for (auto i : ct::irange(0, n))
    total = total + ct::load(x + indices(16 * i));
  ct::store(y + indices(0), total);

  auto skipping = ct::zeros<row>();
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 1)
      continue;
    if (i > 8)
      break;
    skipping = skipping + ct::load(x + indices(16 * i));
  }
  ct::store(y + indices(16), skipping);

  auto doubled = ct::load(x + indices(0));
  int turns = 0;
  while (static_cast<float>(ct::reduce_max(doubled, ct::integral_constant<0>{})) < 100.0f) {
    doubled = doubled * 2.0f;
    ++turns;
  }
  ct::store(y + indices(32), doubled);

  auto halved = doubled;
  do {
    halved = halved * 0.5f;
  } while (--turns > 0);
  ct::store(y + indices(48), halved);
}

__tile_global__ void triangle(float *y, int n) {
  auto total = ct::zeros<row>();
  for (int i = 0; i < n; ++i)
    for (int j = n - 1; j > i; --j)
      for (int step = 8; step; step /= 2) {
        if (j == i + 2)
          break;
        total = total + float(i * j + step);
      }
  ct::store(y + indices(0), total);
}

__tile_global__ void fibonacci(float *y, int n) {
  auto a = ct::zeros<row>(), b = ct::ones<row>();
  for (auto i : ct::irange(0, n, 1)) {
    auto next = a + b;
    a = b;
    b = next;
  }
  ct::store(y + indices(0), a);
}

// The counter behind loops that compare a multiple of it.
__tile_global__ void tiles_of_rows(int *y, int first, int n) {
  int i = first, j = first, k = first;
  for (; i * 8 < n; i += 3) {
  }
  while (n > 5 * j)
    ++j;
  do
    ++k;
  while (k * 7 < n);
  y[0] = i;
  y[1] = j;
  y[2] = k;
}

int main() {
  constexpr int n = 12;
  run::array<float> x(16 * n, [](auto i) { return double(i % 16) + double(i / 16) / 8; }), y(64);
  sums<<<1, 1>>>(x, y, n);
  run::expect("sums", y, [&](auto i) {
    std::size_t lane = i % 16;
    double total = 0, doubled = x[lane], largest = 15;
    int turns = 0;
    for (int k = 0; k < n; ++k)
      if (i < 16 || (k <= 8 && k % 3 != 1))
        total += x[16 * k + lane];
    for (; largest < 100; largest *= 2, ++turns)
      doubled *= 2;
    return i < 32 ? total : i < 48 ? doubled : x[lane];
  });

  run::array<float> t(16);
  triangle<<<1, 1>>>(t, 7);
  run::expect("triangle", t, [](auto) {
    double total = 0;
    for (int i = 0; i < 7; ++i)
      for (int j = 6; j > i; --j)
        if (j != i + 2)
          total += 4 * i * j + 15;
    return total;
  });

  run::array<float> f(16);
  fibonacci<<<1, 1>>>(f, 20);
  run::expect("fibonacci", f, [](auto) { return 6765; });

  for (int bound : {INT_MIN, -41, -40, -1, 0, 1, 39, 40, 41})
    for (int first : {-9, 0, 5}) {
      run::array<int> counters(3);
      tiles_of_rows<<<1, 1>>>(counters, first, bound);
      int i = first, j = first, k = first;
      for (; i * 8 < bound; i += 3) {
      }
      for (; bound > 5 * j; ++j) {
      }
      do
        ++k;
      while (k * 7 < bound);
      run::expect("tiles of rows", counters, [&](auto at) {
        return at == 0 ? i : at == 1 ? j : k;
      });
    }
  return run::finish();
}
