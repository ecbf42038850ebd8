// Products that write in each iteration, whose plans make the loop again or cut it: sums in parts,
// factors that are computed, deep tiles and flat ones. What an iteration writes is written once.
#include "products.h"

#include <cuda_tile.h>
namespace ct = cuda::tiles;
using relaxed = ct::memory_order_relaxed_t;
using device = ct::thread_scope_device_t;

constexpr int slots = 16; // of a block

template <int M, int N, int K, class A>
__tile_global__ void noted(const A *__restrict__ a, const bf16 *__restrict__ b,
                           float *__restrict__ c, int m, int n, int k, int *__restrict__ d,
                           int *__restrict__ e) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<M, K>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<K, N>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  const int y = ct::bid().y, x = ct::bid().x, block = y * int(ct::num_blocks().x) + x;
  int before = 0;
  for (int i = 0; i < (k + K - 1) / K; ++i) {
    sum = ct::mma(ct::element_cast<bf16>(as.load_masked(y, i)), bs.load_masked(i, x), sum);
    d[block * slots + i] += i + x + before;
    before = before / 2 + i;
    ct::atomic_add(e + i, 1, relaxed{}, device{});
  }
  cs.store_masked(sum, y, x);
  d[block * slots + slots - 1] = ct::atomic_add(e + slots - 1, 1, relaxed{}, device{}) >= 0;
}

// The second half of the rows is read after the first half's loop wrote: not before it.
__tile_global__ void own_factor(bf16 *a, const bf16 *__restrict__ b, float *__restrict__ c, int k) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{256, k}}, ct::shape<256, 64>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, 256}}, ct::shape<64, 256>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{256, 256}}, ct::shape<256, 256>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<256, 256>>>();
  for (int i = 0; i < k / 64; ++i) {
    sum = ct::mma(as.load_masked(0, i), bs.load_masked(i, 0), sum);
    a[200 * k + 64 * i] = bf16(7.0f);
  }
  cs.store_masked(sum, 0, 0);
}

template <int M, int N, int K, class A> void check(const char *name, dim3 grid, int k) {
  const int m = int(grid.y) * M - 8, n = int(grid.x) * N - 8, steps = (k + K - 1) / K,
            blocks = int(grid.x * grid.y);
  auto of_a = [](std::size_t i) { return int(i % 5) - 2; };
  auto of_b = [](std::size_t i) { return int(i % 7) - 3; };
  run::array<A> a(m * k, of_a);
  run::array<bf16> b(k * n, of_b);
  run::array<float> c(m * n);
  run::array<int> d(blocks * slots), e(slots);
  noted<M, N, K, A><<<grid, 1>>>(a, b, c, m, n, k, d, e);
  run::expect(name, c, [&](std::size_t i) {
    double sum = 0;
    for (int at = 0; at < k; ++at)
      sum += of_a(i / n * k + at) * of_b(at * n + i % n);
    return sum;
  });
  run::expect("notes", d, [&](std::size_t i) {
    const int turn = int(i) % slots;
    int before = 0;
    for (int at = 0; at < turn; ++at)
      before = before / 2 + at;
    return turn == slots - 1 ? 1 : turn < steps ? turn + int(i) / slots % int(grid.x) + before : 0;
  });
  run::expect("counts", e,
              [&](std::size_t i) { return int(i) < steps || i == slots - 1 ? blocks : 0; });
}

void check_own_factor() {
  constexpr int k = 192;
  run::array<bf16> a(256 * k, [](std::size_t i) { return int(i % 5) - 2; }),
      b(k * 256, [](std::size_t i) { return int(i % 7) - 3; });
  run::array<float> c(256 * 256);
  own_factor<<<1, 1>>>(a, b, c, k);
  run::expect("own factor", c, [&](std::size_t i) {
    double sum = 0;
    for (std::size_t at = 0; at < k; ++at)
      sum += (double((i / 256 * k + at) % 5) - 2) * (double((at * 256 + i % 256) % 7) - 3);
    return sum;
  });
}

int main() {
  check<256, 256, 64, bf16>("in parts", dim3(2, 2), 200);
  check<128, 128, 64, signed char>("of bytes", dim3(4, 2), 200);
  check<64, 64, 32, signed char>("small, of bytes", dim3(5, 3), 200);
  check<64, 256, 16, bf16>("flat", dim3(3, 4), 200);
  check<128, 128, 128, bf16>("deep", dim3(3, 3), 300);
  check_own_factor();
  return run::finish();
}
