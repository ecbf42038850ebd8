// Structs that hold tiles: returned by value, changed through a reference, taken apart by
// structured bindings, with member functions.
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
  return run::finish();
}
