// Tiles of pointers: gather and scatter, masks and padding, pointer tiles moved on in a loop, a
// two-dimensional box built by broadcasting.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using lanes = ct::tile<int, ct::shape<64>>;

__tile_global__ void gather(const float *x, const int *at, float *y, int n) {
  auto lane = ct::iota<lanes>() + int(ct::bid().x) * 64;
  auto inside = lane < n;
  auto places = ct::load_masked(at + lane, inside, 0);
  auto values = ct::load_masked(x + places, inside && places >= 0, -1.0f);
  ct::store_masked(y + lane, values, inside);
}

__tile_global__ void box(const float *x, float *y, int pitch, int height, int width) {
  auto rows = ct::iota<ct::tile<int, ct::shape<16, 1>>>();
  auto columns = ct::iota<ct::tile<int, ct::shape<1, 32>>>();
  auto from = (x + rows * pitch) + columns;
  auto values = ct::load_masked(from, rows < height && columns < width, 0.5f);
  ct::store(y + rows * 32 + columns, values);
}

__tile_global__ void walk(const float *x, float *y, int steps) {
  auto at = x + ct::iota<lanes>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<64>>>();
  for (int i = 0; i < steps; ++i) {
    sum = sum + ct::load(at);
    at = at + 64;
  }
  ct::store(y + ct::iota<lanes>(), sum);
}

__tile_global__ void scalars(const float *x, float *y) {
  float first = x[0];
  y[0] = first + x[1];
  y[1] = static_cast<float>(ct::load(x + 2)) * 2.0f;
  ct::store(y + 2, 9.0f);
}

int main() {
  constexpr int n = 150;
  run::array<float> x(n, [](auto i) { return run::small(i) + double(i); }), y(192);
  run::array<int> at(n, [](auto i) { return i % 5 == 0 ? -1 : int(i * 37 % n); });
  gather<<<3, 1>>>(x, at, y, n);
  run::expect("gather", y, [&](auto i) {
    return i >= n ? 0 : at[i] < 0 ? -1 : x[std::size_t(at[i])];
  });

  run::array<float> boxed(16 * 32);
  box<<<1, 1>>>(x, boxed, 11, 13, 11);
  run::expect("box", boxed,
              [&](auto i) { return i / 32 < 13 && i % 32 < 11 ? x[i / 32 * 11 + i % 32] : 0.5; });

  run::array<float> walked(64);
  walk<<<1, 1>>>(x, walked, 2);
  run::expect("walk", walked, [&](auto i) { return x[i] + x[i + 64]; });

  run::array<float> s(3);
  scalars<<<1, 1>>>(x, s);
  run::expect("scalars", s, [&](auto i) { return i == 0 ? x[0] + x[1] : i == 1 ? 2 * x[2] : 9; });
  return run::finish();
}
