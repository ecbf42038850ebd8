// Structs that hold tiles: returned by value, changed through a reference, taken apart by
// structured bindings, with member functions, in arrays with run-time indices, copied.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using column = ct::tile<float, ct::shape<16, 1>>;
using block = ct::tile<float, ct::shape<16, 32>>;

// Maximum and sum of exponentials of the columns seen so far.
struct online {
  column largest, sum;

  __tile__ void update(block x) {
    auto now = ct::max(largest, ct::reduce_max<1>(x));
    sum = sum * ct::exp(largest - now) + ct::sum<1>(ct::exp(x - now));
    largest = now;
  }
};

struct pair {
  block quotient, rest;
};

__tile__ pair split(block x, float by) {
  auto quotient = x / by;
  return {quotient, x - quotient * by};
}

__tile__ void run_over(online &state, const float *x, int blocks) {
  auto view =
      ct::partition_view{ct::tensor_span{x, ct::extents{16, blocks * 32}}, ct::shape<16, 32>{}};
  for (auto i : ct::irange(0, blocks))
    state.update(view.load(0, i));
}

__tile_global__ void log_sum_exp(const float *x, float *y, int blocks) {
  online state{ct::full<column>(-1e30f), ct::zeros<column>()};
  run_over(state, x, blocks);
  auto view = ct::partition_view{ct::tensor_span{y, ct::extents{16, 1}}, ct::shape<16, 1>{}};
  view.store(state.largest + ct::log(state.sum), 0, 0);
}

__tile_global__ void divide(const float *x, float *y) {
  auto in = ct::partition_view{ct::tensor_span{x, ct::extents{16, 32}}, ct::shape<16, 32>{}};
  auto out = ct::partition_view{ct::tensor_span{y, ct::extents{32, 32}}, ct::shape<16, 32>{}};
  auto [quotient, rest] = split(in.load(0, 0), 4.0f);
  out.store(quotient, 0, 0);
  out.store(rest, 1, 0);
}

// An array of structs within a struct; its copies are changed at run-time indices.
using row = ct::tile<float, ct::shape<16>>;
using counts = ct::tile<int, ct::shape<32>>;

struct entry {
  row x;
  counts y;
  short tag;
};

struct table {
  row first;
  entry entries[2][2];
  row last;
};

__tile_global__ void nested(const float *in, float *out, int n, int i) {
  auto lane = ct::iota<ct::tile<int, ct::shape<16>>>();
  table a;
  for (int k = 0; k < 4; ++k)
    a.entries[k / 2][k % 2] = {ct::load(in + lane + 16 * k), ct::iota<counts>() + k, short(k)};
  a.first = a.last = a.entries[0][0].x + a.entries[1][1].x;
  table b = a;
  for (int k = 0; k < n; ++k)
    b.entries[k & 1][k / 2 & 1].x = b.entries[(k + 1) & 1][i & 1].x + float(k);
  table c = b;
  c.entries[i & 1][n & 1] = b.entries[n & 1][i & 1];
  entry &chosen = c.entries[i & 1][i / 2];
  chosen.y = chosen.y * 2;
  chosen.tag += short(i);
  ct::store(out + lane, chosen.x + c.last - c.first + float(ct::sum<0>(chosen.y) + chosen.tag));
}

void check_nested() {
  run::array<float> x(64, [](auto i) { return run::small(i); }), y(16);
  for (int n = 0; n < 4; ++n)
    for (int i = 0; i < 4; ++i) {
      nested<<<1, 1>>>(x, y, n, i);
      run::expect("nested", y, [&](auto lane) {
        double value[2][2];
        int start[2][2], tag[2][2];
        for (int k = 0; k < 4; ++k) {
          value[k / 2][k % 2] = x[16 * k + lane];
          start[k / 2][k % 2] = tag[k / 2][k % 2] = k;
        }
        for (int k = 0; k < n; ++k)
          value[k & 1][k / 2 & 1] = value[(k + 1) & 1][i & 1] + k;
        value[i & 1][n & 1] = value[n & 1][i & 1];
        start[i & 1][n & 1] = start[n & 1][i & 1];
        tag[i & 1][n & 1] = tag[n & 1][i & 1];
        int sum = 2 * (31 * 16 + 32 * start[i & 1][i / 2]);
        return value[i & 1][i / 2] + sum + tag[i & 1][i / 2] + i;
      });
    }
}

// An array of tiles that is copied, and one of structs in a loop over it.
__tile_global__ void copied(const float *in, float *out, int n) {
  auto lane = ct::iota<ct::tile<int, ct::shape<16>>>();
  row a[3];
  for (int k = 0; k < n; ++k)
    a[k] = ct::load(in + lane + 16 * k);
  struct {
    row parts[3];
  } b, c;
  for (int k = 0; k < n; ++k)
    b.parts[n - 1 - k] = a[k];
  c = b;
  c.parts[n - 1] = c.parts[n - 1] + b.parts[0];
  for (int k = 0; k < n; ++k)
    ct::store(out + lane + 16 * k, c.parts[k]);
}

void check_copied() {
  run::array<float> x(48, [](auto i) { return run::small(i); }), y(48);
  copied<<<1, 1>>>(x, y, 3);
  run::expect("copied", y, [&](auto i) {
    return i < 32 ? x[32 - i / 16 * 16 + i % 16] : x[i % 16] + x[32 + i % 16];
  });
}

int main() {
  constexpr int blocks = 3;
  run::array<float> x(16 * 32 * blocks, [](auto i) { return run::small(i); }), y(16);
  log_sum_exp<<<1, 1>>>(x, y, blocks);
  run::expect("log_sum_exp", y, [&](auto i) {
    double sum = 0;
    for (int k = 0; k < 32 * blocks; ++k)
      sum += std::exp(x[i * 32 * blocks + k]);
    return std::log(sum);
  });

  run::array<float> z(2 * 16 * 32);
  divide<<<1, 1>>>(x, z);
  run::expect("divide", z, [&](auto i) { return i < 512 ? x[i] / 4 : 0; });
  check_nested();
  check_copied();
  return run::finish();
}
