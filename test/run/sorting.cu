// A bitonic network of reshapes, halves and joins, made by templates that call themselves; the
// order of floats as one of 64-bit keys; the largest k, one after the other.
#include "run.h"
#include <cuda_tile.h>
#include <algorithm>
#include <numeric>
namespace ct = cuda::tiles;

// Partners are `Distance` apart, runs of `Run` alternate in direction.
template <int N, int Run, int Distance, class Tile> __tile__ Tile exchange(Tile x) {
  constexpr int groups = N / (2 * Distance);
  auto halves = ct::reshape(x, ct::shape<groups, 2, Distance>{});
  auto half = ct::shape<groups, 1, Distance>{};
  auto a = ct::extract(halves, half, 0, 0, 0), b = ct::extract(halves, half, 0, 1, 0);
  auto start = ct::iota<ct::tile<int, ct::shape<groups, 1, 1>>>() * (2 * Distance);
  auto isRising = (start & Run) == 0;
  auto low = ct::min(a, b), high = ct::max(a, b);
  auto joined = ct::cat<1>(ct::select(isRising, low, high), ct::select(isRising, high, low));
  return ct::reshape(joined, ct::shape<N>{});
}

template <int N, int Run, int Distance, class Tile> __tile__ Tile merge(Tile x) {
  x = exchange<N, Run, Distance>(x);
  if constexpr (Distance > 1)
    return merge<N, Run, Distance / 2>(x);
  else
    return x;
}

template <int N, int Run = 2, class Tile> __tile__ Tile sorted(Tile x) {
  x = merge<N, Run, Run / 2>(x);
  if constexpr (Run < N)
    return sorted<N, 2 * Run>(x);
  return x;
}

template <int N, class T> __tile_global__ void sort_rows(T *x, int n, T last) {
  auto i = ct::iota<ct::tile<int, ct::shape<N>>>();
  T *row = x + n * int(ct::bid().x);
  ct::store_masked(row + i, sorted<N>(ct::load_masked(row + i, i < n, last)), i < n);
}

// Floats in the order of unsigned integers, with their places below them.
template <int N> __tile_global__ void sort_places(const float *x, int *places, unsigned n) {
  auto i = ct::iota<ct::tile<unsigned, ct::shape<N>>>();
  auto bits = ct::element_bitcast<unsigned>(ct::load_masked(x + i, i < n, INFINITY));
  auto ordered = ct::select((bits >> 31u) != 0u, ~bits, bits | 0x80000000u);
  auto keys = ct::element_cast<unsigned long long>(ordered) << 32ull |
              ct::element_cast<unsigned long long>(i);
  auto low = ct::element_cast<int>(sorted<N>(keys) & 0xffffffffull);
  ct::store_masked(places + i, low, i < n);
}

template <int N>
__tile_global__ void largest(const float *x, float *values, int *places, int n, int k) {
  const int row = ct::bid().x;
  auto i = ct::iota<ct::tile<int, ct::shape<N>>>();
  auto rest = ct::load_masked(x + n * row + i, i < n, -INFINITY);
  int found = 0;
  do {
    auto value = float(ct::reduce_max<0>(rest));
    auto candidates = ct::select(rest == value, i, ct::full<decltype(i)>(N));
    int place = int(ct::reduce_min<0>(candidates));
    values[k * row + found] = value;
    places[k * row + found] = place;
    rest = ct::select(i == place, ct::full<decltype(rest)>(-INFINITY), rest);
  } while (++found < k);
}

std::vector<int> order_of(const run::array<float> &x, int row, int n, bool falls) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    double u = x[n * row + a], v = x[n * row + b];
    return u == v ? a < b : falls ? u > v : u < v;
  });
  return order;
}

int main() {
  constexpr int rows = 3, n = 50, k = 4;
  run::array<float> x(rows * n, [](auto i) { return run::small(i * i); }), y(rows * n);
  run::require(cudaMemcpy(y.device, x.device, rows * n * sizeof(float), cudaMemcpyDefault));
  sort_rows<64><<<rows, 1>>>(y.device, n, INFINITY);
  run::expect("rows", y,
              [&](auto i) { return x[i / n * n + order_of(x, i / n, n, false)[i % n]]; });

  run::array<short> s(n, [](auto i) { return short(i * 7919); });
  std::vector<double> wanted(n);
  for (int i = 0; i < n; ++i)
    wanted[i] = s[i];
  std::sort(wanted.begin(), wanted.end());
  sort_rows<64, short><<<1, 1>>>(s, n, 32767);
  run::expect("shorts", s, [&](auto i) { return wanted[i]; });

  run::array<int> places(n);
  sort_places<64><<<1, 1>>>(x, places, n);
  run::expect("places", places, [&](auto i) { return order_of(x, 0, n, false)[i]; });

  run::array<float> values(rows * k);
  run::array<int> where(rows * k);
  largest<64><<<rows, 1>>>(x, values, where, n, k);
  auto nth = [&](auto i) { return order_of(x, i / k, n, true)[i % k]; };
  run::expect("largest", values, [&](auto i) { return x[i / k * n + nth(i)]; });
  run::expect("their places", where, nth);
  return run::finish();
}
