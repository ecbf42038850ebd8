// Rows and columns that meet in a larger tile: every element with every other, in place, in loops,
// with gathers and masks, and columns that come out of reductions.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <int M, int N> using tile = ct::tile<float, ct::shape<M, N>>;
template <int M, int N> using indices = ct::tile<int, ct::shape<M, N>>;

// x[i] += sum over j of x[j] * (x[j] - x[i]): every element is read as a row and as a column before
// any is written.
__tile_global__ void attract(float *x) {
  auto i = ct::iota<indices<32, 1>>();
  auto j = ct::iota<indices<1, 32>>();
  auto own = ct::load(x + i);
  auto others = ct::load(x + j);
  ct::store(x + i, own + ct::sum<1>(others * (others - own)));
}

// The squared distance to the nearest of n other points, chosen by number; points are rows of 3.
__tile_global__ void nearest(const float *points, const int *chosen, float *distance, int n,
                             int m) {
  auto i = ct::iota<indices<16, 1>>() + 16 * int(ct::bid().x);
  auto best = ct::full<tile<16, 1>>(1e30f);
  for (int start = 0; start < n; start += 64) {
    auto j = ct::iota<indices<1, 64>>() + start;
    auto other = ct::load_masked(chosen + j, j < n, 0);
    auto square = ct::zeros<tile<16, 64>>();
    for (int k = 0; k < 3; ++k) {
      auto own = ct::load_masked(points + (3 * i + k), i < m, 0.0f);
      auto d = ct::load_masked(points + (3 * other + k), j < n, 1e9f) - own;
      square = square + d * d;
    }
    best = ct::min(best, ct::reduce_min<1>(square));
  }
  ct::store_masked(distance + i, best, i < m);
}

// A row of views and a column of views beside a matrix that is larger than the block.
__tile_global__ void centre(float *x, const float *row, float *column) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::shape<64, 64>{}}, ct::shape<64, 64>{}};
  auto rows = ct::partition_view{ct::tensor_span{row, ct::shape<64>{}}, ct::shape<64>{}};
  auto columns =
      ct::partition_view{ct::tensor_span{column, ct::shape<64, 1>{}}, ct::shape<64, 1>{}};
  auto y = xs.load(0, 0) - rows.load(0) * columns.load(0, 0);
  columns.store(columns.load(0, 0) + ct::sum<1>(y), 0, 0);
  xs.store(y + columns.load(0, 0), 0, 0);
}

void check_nearest() {
  constexpr int points = 70, n = 100, m = 45;
  run::array<float> x(3 * points, [](auto i) { return run::small(i); }), distance(m);
  run::array<int> chosen(n, [](auto i) { return i * 37 % points; });
  nearest<<<3, 1>>>(x, chosen, distance, n, m);
  run::expect("nearest", distance, [&](auto i) {
    double best = 1e30;
    for (int j = 0; j < n; ++j) {
      double square = 0;
      for (int k = 0; k < 3; ++k)
        square += std::pow(x[3 * int(chosen[j]) + k] - x[3 * i + k], 2);
      best = std::fmin(best, square);
    }
    return best;
  });
}

void check_centre() {
  run::array<float> x(64 * 64, [](auto i) { return run::small(i); }),
      row(64, [](auto i) { return run::small(i + 7); }),
      column(64, [](auto i) { return run::small(i + 99); });
  auto wanted_column = [&](auto i) {
    double sum = column[i];
    for (int j = 0; j < 64; ++j)
      sum += x[64 * i + j] - row[j] * column[i];
    return sum;
  };
  std::vector<double> sums(64), all(64 * 64);
  for (int i = 0; i < 64; ++i)
    sums[i] = wanted_column(i);
  for (int i = 0; i < 64 * 64; ++i)
    all[i] = x[i] - row[i % 64] * column[i / 64] + sums[i / 64];
  centre<<<1, 1>>>(x, row, column);
  run::expect("centre, column", column, [&](auto i) { return sums[i]; });
  run::expect("centre", x, [&](auto i) { return all[i]; });
}

int main() {
  run::array<float> x(32, [](auto i) { return run::small(i); });
  std::vector<double> wanted(32);
  for (int i = 0; i < 32; ++i) {
    wanted[i] = x[i];
    for (int j = 0; j < 32; ++j)
      wanted[i] += x[j] * (x[j] - x[i]);
  }
  attract<<<1, 1>>>(x);
  run::expect("attract", x, [&](auto i) { return wanted[i]; });
  check_nearest();
  check_centre();
  return run::finish();
}
