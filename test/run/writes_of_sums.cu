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

// Two products that registers do not hold together, behind one another's writes.
__tile_global__ void gated(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           float *__restrict__ c, int k, int *__restrict__ d, int *__restrict__ e) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{128, k}}, ct::shape<128, 32>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, 512}}, ct::shape<32, 256>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{128, 256}}, ct::shape<128, 256>{}};
  auto x = ct::zeros<ct::tile<float, ct::shape<128, 256>>>(), y = x;
  int all = 0;
  for (int i = 0; i < k / 32; ++i) {
    x = ct::mma(as.load_masked(0, i), bs.load_masked(i, 0), x);
    y = ct::mma(as.load_masked(0, i), bs.load_masked(i, 1), y);
    all += ct::atomic_add(e + i, 1, relaxed{}, device{}) + i;
    d[i] += all;
  }
  cs.store_masked(x + y * 2.0f, 0, 0);
}

// A sum in two levels whose branch writes; the loop's own numbers say what is stored, and where.
__tile_global__ void folded(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                            float *__restrict__ c, int k, int *__restrict__ d,
                            int *__restrict__ e) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{128, k}}, ct::shape<128, 32>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, 256}}, ct::shape<32, 256>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{512, 256}}, ct::shape<128, 256>{}};
  auto outer = ct::zeros<ct::tile<float, ct::shape<128, 256>>>(), inner = outer;
  int folds = 0, row = 0;
  for (int i = 0; i < k / 32; ++i) {
    inner = ct::mma(as.load_masked(0, i), bs.load_masked(i, 0), inner);
    row = row * 3 + 1 & 3;
    if (i % 3 == 2) {
      outer = outer + inner;
      inner = ct::zeros<ct::tile<float, ct::shape<128, 256>>>();
      d[i] += ++folds;
      ct::atomic_add(e + i, 1, relaxed{}, device{});
    }
  }
  cs.store_masked((outer + inner) * float(folds), row, 0);
}

// What the loop reads for its sum from a local array, which it writes.
__tile_global__ void by_local(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int k) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{256, k}}, ct::shape<256, 64>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, 256}}, ct::shape<64, 256>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{256, 256}}, ct::shape<256, 256>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<256, 256>>>();
  int next[2] = {0, 0};
  for (int i = 0; i < k / 64; ++i) {
    const int at = next[i & 1];
    sum = ct::mma(as.load_masked(0, at), bs.load_masked(at, 0), sum);
    next[i + 1 & 1] = at + 1;
  }
  cs.store_masked(sum, 0, 0);
}

int of_a(std::size_t i) { return int(i % 5) - 2; }
int of_b(std::size_t i) { return int(i % 7) - 3; }
double product(int row, int column, int n, int k) {
  double sum = 0;
  for (int at = 0; at < k; ++at)
    sum += of_a(row * k + at) * of_b(at * n + column);
  return sum;
}

template <int M, int N, int K, class A> void check(const char *name, dim3 grid, int k) {
  const int m = int(grid.y) * M - 8, n = int(grid.x) * N - 8, steps = (k + K - 1) / K,
            blocks = int(grid.x * grid.y);
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

void check_together() {
  constexpr int k = 224, steps = k / 32, folds = steps / 3;
  run::array<bf16> a(256 * k, of_a), b(k * 512, of_b);
  run::array<float> c(128 * 256), of_row(512 * 256), of_local(256 * 256);
  run::array<int> d(slots), e(slots), d_folded(slots), e_folded(slots);
  gated<<<1, 1>>>(a, b, c, k, d, e);
  run::expect("gated", c, [&](std::size_t i) {
    const int row = int(i / 256), column = int(i % 256);
    return product(row, column, 512, k) + 2 * product(row, column + 256, 512, k);
  });
  run::expect("notes of gated", d,
              [](std::size_t i) { return int(i) < steps ? int(i * (i + 1)) / 2 : 0; });
  run::expect("counts of gated", e, [](std::size_t i) { return int(i) < steps; });

  folded<<<1, 1>>>(a, b, of_row, k, d_folded, e_folded);
  int last = 0;
  for (int i = 0; i < steps; ++i)
    last = last * 3 + 1 & 3;
  run::expect("folded", of_row, [&](std::size_t i) {
    const int row = int(i / 256) - last * 128;
    return row < 0 || row >= 128 ? 0 : folds * product(row, int(i % 256), 256, k);
  });
  auto is_fold = [](std::size_t i) { return int(i) < steps && i % 3 == 2; };
  run::expect("notes of folded", d_folded,
              [&](std::size_t i) { return is_fold(i) ? int(i / 3) + 1 : 0; });
  run::expect("counts of folded", e_folded, is_fold);

  by_local<<<1, 1>>>(a, b, of_local, 192);
  run::expect("by local", of_local,
              [](std::size_t i) { return product(int(i / 256), int(i % 256), 256, 192); });
}

int main() {
  check<256, 256, 64, bf16>("in parts", dim3(2, 2), 200);
#ifdef ALL_CASES
  check<128, 128, 64, signed char>("of bytes", dim3(4, 2), 200);
#endif
  check<64, 64, 32, signed char>("small, of bytes", dim3(5, 3), 200);
  check<64, 256, 16, bf16>("flat", dim3(3, 4), 200);
  check<128, 128, 128, bf16>("deep", dim3(3, 3), 300);
  check_own_factor();
  check_together();
  return run::finish();
}
