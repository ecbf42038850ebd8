// More blocks than boxes, and boxes before the first: blocks that store nothing may end early, but
// only those. What blocks do beside their stores, they do anyway.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void rows(const float *in, float *out, int count, int shift) {
  auto from = ct::partition_view{
      ct::tensor_span{in, ct::extents<unsigned, ct::dynamic_extent, 64>{unsigned(count)}},
      ct::shape<1, 64>{}};
  auto to = ct::partition_view{
      ct::tensor_span{out, ct::extents<unsigned, ct::dynamic_extent, 64>{unsigned(count)}},
      ct::shape<1, 64>{}};
  int row = int(ct::bid().x) - shift;
  to.store_masked(from.load_masked(row, 0) * 2.0f + from.load_masked(row + 1, 0), row, 0);
}

// The second store is inside where the first is not.
__tile_global__ void two(const int *in, int *out, int *more) {
  auto from = ct::partition_view{ct::tensor_span{in, ct::shape<256>{}}, ct::shape<64>{}};
  auto to = ct::partition_view{ct::tensor_span{out, ct::shape<128>{}}, ct::shape<64>{}};
  auto also = ct::partition_view{ct::tensor_span{more, ct::shape<256>{}}, ct::shape<64>{}};
  auto x = from.load_masked(ct::bid().x);
  to.store_masked(x + 1, ct::bid().x);
  also.store_masked(x + 2, ct::bid().x);
}

// A count by every block, those without a box too.
__tile_global__ void counted(const int *in, int *out, int *count) {
  auto from = ct::partition_view{ct::tensor_span{in, ct::shape<256>{}}, ct::shape<64>{}};
  auto to = ct::partition_view{ct::tensor_span{out, ct::shape<256>{}}, ct::shape<64>{}};
  to.store_masked(from.load_masked(ct::bid().x) + 1, ct::bid().x);
  ct::atomic_add(count, 1, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
}

// Blocks of a group share rows; the columns are a loop's. Indices of 64 bits.
__tile_global__ void groups(const float *in, float *out, long long height) {
  auto from = ct::partition_view{
      ct::tensor_span{in, ct::extents<long long, ct::dynamic_extent, 96>{height}},
      ct::shape<16, 32>{}};
  auto to = ct::partition_view{
      ct::tensor_span{out, ct::extents<long long, ct::dynamic_extent, 96>{height}},
      ct::shape<16, 32>{}};
  long long row = ct::bid().x / 2;
  if (ct::bid().x % 2)
    return;
  for (auto j : ct::irange(0, 4))
    to.store_masked(from.load_masked(row, j) + 1.0f, row, j);
}

int main() {
  for (int shift : {0, 2}) {
    const int count = 5;
    run::array<float> in(count * 64, [](auto i) { return i; }), out(count * 64);
    rows<<<9, 1>>>(in, out, count, shift);
    run::expect("rows", out,
                [&](auto i) { return 2 * in[i] + (i / 64 + 1 < count ? in[i + 64] : 0.0); });
  }
  {
    run::array<int> in(256, [](auto i) { return i; }), out(128), more(256), count(1);
    two<<<6, 1>>>(in, out, more);
    run::expect("two, first", out, [&](auto i) { return in[i] + 1; });
    run::expect("two, second", more, [&](auto i) { return in[i] + 2; });
    counted<<<7, 1>>>(in, more, count);
    run::expect("counted", more, [&](auto i) { return in[i] + 1; });
    run::expect("count", count, [](auto) { return 7.0; });
  }
  for (long long height : {40, 64}) {
    run::array<float> in(height * 96, [](auto i) { return i % 100; }), out(height * 96);
    groups<<<12, 1>>>(in, out, height);
    run::expect("groups", out, [&](auto i) { return in[i] + 1; });
  }
  return run::finish();
}
