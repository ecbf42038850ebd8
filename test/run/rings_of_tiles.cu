// Loops inside loops that go from tile to tile: rings that last through the outer loop, whose last
// turns for one tile copy the first turns of the next. No turns, fewer than are copied ahead, and
// more; no tiles, and fewer than blocks; views that allow no bulk copies; counters that other
// numbers follow, unsigned ones, ones at the end of their type. Beside them loops whose rings must
// not last: tiles that read what the tile before has stored, turns that depend on the tile, tiles
// left out, two loops in one.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

double element(std::size_t i) { return (double(i * 11 % 15) - 7) / 4; }

// C (m x n) = A (m x steps K) B, rounded to bf16, so that the sum is exchanged on its way.
template <int M, int N, int K, bool Transposed>
__tile_global__ void products(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              bf16 *__restrict__ c, int m, int n, int k, int steps) {
  const int columns = (n + N - 1) / N, tiles = (m + M - 1) / M * columns;
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<M, K>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  for (int tile = ct::bid().x; tile < tiles; tile += ct::num_blocks().x) {
    const int row = tile / columns, column = tile % columns;
    auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
    if constexpr (Transposed) {
      auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{n, k}}, ct::shape<N, K>{}};
      for (int i = 0; i < steps; ++i)
        sum = ct::mma(as.load_masked(row, i), ct::transpose(bs.load_masked(column, i)), sum);
    } else {
      auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<K, N>{}};
      for (int i = 0; i < steps; ++i)
        sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
    }
    cs.store_masked(ct::element_cast<bf16>(sum), row, column);
  }
}

double product(int k, int n, bool transposed, std::size_t i, int from, int to) {
  double sum = 0;
  for (int j = from; j < to && j < k; ++j)
    sum += element(i / n * k + j) * element((transposed ? i % n * k + j : j * n + i % n) + 5);
  return sum;
}

// `skipped` elements lie before a's first: 1 leaves no bulk copies.
template <int M, int N, int K, bool Transposed>
void check(const char *name, int m, int n, int k, int steps, int blocks, int skipped = 0) {
  run::array<bf16> a(std::size_t(m) * k + skipped + 1,
                     [&](auto i) { return i < skipped ? 0 : element(i - skipped); });
  run::array<bf16> b(std::size_t(k) * n + 1, [](auto i) { return element(i + 5); });
  run::array<bf16> c(std::size_t(m) * n + 1, [](auto) { return 77; });
  products<M, N, K, Transposed>
      <<<blocks, 1>>>(a.device + skipped, b.device, c.device, m, n, k, steps);
  run::expect(name, c, [&](std::size_t i) {
    return i == std::size_t(m) * n ? 77 : product(k, n, Transposed, i, 0, steps * K);
  });
}

// Rows that the loops carry and counters of other kinds: `at` follows the tiles, `k0` the turns.
__tile_global__ void followed(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int m, int k, int from) {
  constexpr int n = 64;
  auto as = ct::strided_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<64, 64>{},
                             ct::strides{ct::integral_constant<1>{}, ct::integral_constant<1>{}}};
  auto bs = ct::strided_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<64, n>{},
                             ct::strides{ct::integral_constant<1>{}, ct::integral_constant<1>{}}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<64, n>{}};
  int at = 64 * ct::bid().x;
  for (unsigned tile = ct::bid().x; tile < unsigned(m + 63) / 64; tile += ct::num_blocks().x) {
    auto sum = ct::zeros<ct::tile<float, ct::shape<64, n>>>();
    int k0 = from;
    for (int left = k - from; left > 0; left -= 64, k0 += 64)
      sum = ct::mma(as.load_masked(at, k0), bs.load_masked(k0, 0), sum);
    cs.store_masked(sum, int(tile), 0);
    at += 64 * ct::num_blocks().x;
  }
}

// Tiles are counted up to the end of int.
__tile_global__ void last_numbers(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                  float *__restrict__ c, int m, int k, int first) {
  constexpr int n = 64;
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<64, 64>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<64, n>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<64, n>{}};
  for (int tile = first; tile < 2147483647; ++tile) {
    auto sum = ct::zeros<ct::tile<float, ct::shape<64, n>>>();
    for (int i = 0; i < (k + 63) / 64; ++i)
      sum = ct::mma(as.load_masked(tile - first, i), bs.load_masked(i, 0), sum);
    cs.store_masked(sum, tile - first, 0);
  }
}

// As many turns as the tile's number says, as for a triangle of a matrix.
__tile_global__ void triangle(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int m, int k) {
  constexpr int n = 64;
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<64, 64>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<64, n>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<64, n>{}};
  for (int tile = ct::bid().x; tile < (m + 63) / 64; tile += ct::num_blocks().x) {
    auto sum = ct::zeros<ct::tile<float, ct::shape<64, n>>>();
    for (int i = 0; i < tile % 4; ++i)
      sum = ct::mma(as.load_masked(tile, i), bs.load_masked(i, 0), sum);
    cs.store_masked(sum, tile, 0);
  }
}

// Some tiles are left out, and all behind a certain one.
__tile_global__ void chosen(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                            float *__restrict__ c, int m, int k, int out, int end) {
  constexpr int n = 64;
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<64, 64>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<64, n>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<64, n>{}};
  for (int tile = ct::bid().x; tile < (m + 63) / 64; tile += ct::num_blocks().x) {
    if (tile == out)
      continue;
    if (tile == end)
      break;
    auto sum = ct::zeros<ct::tile<float, ct::shape<64, n>>>();
    for (int i = 0; i < (k + 63) / 64; ++i)
      sum = ct::mma(as.load_masked(tile, i), bs.load_masked(i, 0), sum);
    cs.store_masked(sum, tile, 0);
  }
}

// Two sums of a tile, one after the other.
__tile_global__ void two_loops(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                               float *__restrict__ c, int m, int k) {
  constexpr int n = 64;
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<64, 64>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<64, n>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<64, n>{}};
  for (int tile = ct::bid().x; tile < (m + 63) / 64; tile += ct::num_blocks().x) {
    auto sum = ct::zeros<ct::tile<float, ct::shape<64, n>>>(),
         other = ct::zeros<ct::tile<float, ct::shape<64, n>>>();
    for (int i = 0; i < (k + 63) / 64; ++i)
      sum = ct::mma(as.load_masked(tile, i), bs.load_masked(i, 0), sum);
    for (int i = 1; i < (k + 63) / 64; ++i)
      other = ct::mma(as.load_masked(tile, i), bs.load_masked(i, 0), other);
    cs.store_masked(sum - other, tile, 0);
  }
}

// Each tile of rows is the one before times B: the block reads what it has stored.
__tile_global__ void chain(bf16 *x, const bf16 *b, int tiles, int k) {
  auto xs =
      ct::partition_view{ct::tensor_span{x, ct::extents{64 * (tiles + 1), k}}, ct::shape<64, 64>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, 64}}, ct::shape<64, 64>{}};
  for (int tile = 0; tile < tiles; ++tile) {
    auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
    for (int i = 0; i < k / 64; ++i)
      sum = ct::mma(xs.load_masked(tile, i), bs.load_masked(i, 0), sum);
    for (int i = 0; i < k / 64; ++i)
      xs.store_masked(ct::element_cast<bf16>(sum), tile + 1, i);
  }
}

// What another block has stored is read only behind the acquire.
__tile_global__ void handed_over(bf16 *__restrict__ x, const bf16 *__restrict__ b,
                                 float *__restrict__ c, int *ready, int tiles, int k) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{64 * tiles, k}}, ct::shape<64, 64>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, 64}}, ct::shape<64, 64>{}};
  auto cs =
      ct::partition_view{ct::tensor_span{c, ct::extents{64 * tiles, 64}}, ct::shape<64, 64>{}};
  for (int tile = 0; tile < tiles; ++tile) {
    if (ct::bid().x == 0) {
      for (int i = 0; i < k / 64; ++i)
        xs.store_masked(ct::full<ct::tile<bf16, ct::shape<64, 64>>>(bf16(tile + 1.0f)), tile, i);
      ct::atomic_store(ready, tile + 1, ct::memory_order_release_t{}, ct::thread_scope_device_t{});
    } else {
      while (ct::atomic_load(ready, ct::memory_order_acquire_t{}, ct::thread_scope_device_t{}) <=
             tile)
        ;
      auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
      for (int i = 0; i < k / 64; ++i)
        sum = ct::mma(xs.load_masked(tile, i), bs.load_masked(i, 0), sum);
      cs.store_masked(sum, tile, 0);
    }
  }
}

// Tiles of each of several matrices; what is copied begins elsewhere in each.
__tile_global__ void batches(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                             float *__restrict__ c, int count, int m, int k) {
  constexpr int n = 64;
  for (int batch = 0; batch < count; ++batch) {
    auto as = ct::partition_view{ct::tensor_span{a + batch * m * k, ct::extents{m, k}},
                                 ct::shape<64, 64>{}};
    auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<64, n>{}};
    auto cs = ct::partition_view{ct::tensor_span{c + batch * m * n, ct::extents{m, n}},
                                 ct::shape<64, n>{}};
    for (int tile = ct::bid().x; tile < (m + 63) / 64; tile += ct::num_blocks().x) {
      auto sum = ct::zeros<ct::tile<float, ct::shape<64, n>>>();
      for (int i = 0; i < (k + 63) / 64; ++i)
        sum = ct::mma(as.load_masked(tile, i), bs.load_masked(i, 0), sum);
      cs.store_masked(sum, tile, 0);
    }
  }
}

// The same over a batch of views of three dimensions, whose maps all loops share.
__tile_global__ void boxes(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           float *__restrict__ c, int count, int m, int k) {
  constexpr int n = 64;
  auto as =
      ct::partition_view{ct::tensor_span{a, ct::extents{count, m, k}}, ct::shape<1, 64, 64>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<64, n>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{count, m, n}}, ct::shape<1, 64, n>{}};
  for (int batch = 0; batch < count; ++batch)
    for (int tile = ct::bid().x; tile < (m + 63) / 64; tile += ct::num_blocks().x) {
      auto sum = ct::zeros<ct::tile<float, ct::shape<64, n>>>();
      for (int i = 0; i < (k + 63) / 64; ++i)
        sum = ct::mma(ct::reshape(as.load_masked(batch, tile, i), ct::shape<64, 64>{}),
                      bs.load_masked(i, 0), sum);
      cs.store_masked(ct::reshape(sum, ct::shape<1, 64, n>{}), batch, tile, 0);
    }
}

// Weights of 8 bits with a scale a row: computed on when they are due. The scales are read beside.
__tile_global__ void weights(const bf16 *__restrict__ a, const signed char *__restrict__ b,
                             float *__restrict__ c, int m, int k) {
  constexpr int n = 64;
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<64, 64>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<64, n>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<64, n>{}};
  for (int tile = ct::bid().x; tile < (m + 63) / 64; tile += ct::num_blocks().x) {
    auto sum = ct::zeros<ct::tile<float, ct::shape<64, n>>>();
    for (int i = 0; i < (k + 63) / 64; ++i)
      sum = ct::mma(as.load_masked(tile, i), ct::element_cast<bf16>(bs.load_masked(i, 0)), sum);
    cs.store_masked(sum, tile, 0);
  }
}

int main() {
  char name[64];
  for (int steps = 0; steps <= 5; ++steps)
    for (int blocks : {1, 3, 7}) {
      std::snprintf(name, sizeof name, "%d turns, %d blocks", steps, blocks);
      check<64, 64, 32, false>(name, 130, 136, 152, steps, blocks);
    }
  check<64, 64, 32, true>("transposed", 130, 136, 152, 5, 2);
  check<64, 64, 32, false>("base", 130, 136, 152, 5, 2, 1);
  check<64, 64, 32, false>("rows", 130, 133, 151, 5, 2);
  check<64, 64, 32, false>("no tiles", 0, 136, 64, 2, 2);
  for (int steps : {0, 1, 2, 4}) {
    std::snprintf(name, sizeof name, "in flight, %d turns", steps);
    check<128, 256, 64, false>(name, 200, 264, 200, steps, 2);
  }
  check<128, 256, 64, true>("in flight, transposed, unaligned", 130, 260, 130, 3, 1, 1);
  for (int steps : {1, 3}) {
    std::snprintf(name, sizeof name, "in parts, %d turns", steps);
    check<128, 256, 128, false>(name, 200, 264, 328, steps, 2);
  }

  constexpr int m = 320, n = 64, k = 264;
  run::array<bf16> a(m * k, element), b(k * n, [](auto i) { return element(i + 5); });
  auto wanted = [&](int from, std::size_t i) { return product(k, n, false, i, from, k); };
  for (int from : {0, 8, 200, 264}) {
    run::array<float> c(m * n);
    followed<<<2, 1>>>(a, b, c, m, k, from);
    std::snprintf(name, sizeof name, "followed from %d", from);
    run::expect(name, c, [&](auto i) { return wanted(from, i); });
  }
  {
    run::array<float> c(m * n);
    last_numbers<<<1, 1>>>(a, b, c, m, k, 2147483647 - 5);
    run::expect("last numbers", c, [&](auto i) { return wanted(0, i); });
  }
  {
    run::array<float> c(m * n);
    triangle<<<2, 1>>>(a, b, c, m, k);
    run::expect("triangle", c,
                [&](auto i) { return product(k, n, false, i, 0, int(i / n / 64) % 4 * 64); });
  }
  {
    run::array<float> c(m * n);
    chosen<<<1, 1>>>(a, b, c, m, k, 1, 3);
    run::expect("chosen", c, [&](auto i) {
      const int tile = int(i / n / 64);
      return tile == 1 || tile >= 3 ? 0 : wanted(0, i);
    });
  }
  {
    run::array<float> c(m * n);
    two_loops<<<2, 1>>>(a, b, c, m, k);
    run::expect("two loops", c, [&](auto i) { return wanted(0, i) - wanted(64, i); }, 1e-4);
  }
  {
    constexpr int tiles = 3, width = 128;
    run::array<bf16> x(64 * (tiles + 1) * width, [](auto i) { return i < 64 * width ? 1 : 0; });
    run::array<bf16> half(width * 64, [](auto) { return 1.0 / 64; });
    chain<<<1, 1>>>(x, half, tiles, width);
    run::expect("chain", x, [&](auto i) { return double(1 << i / width / 64); });
  }
  {
    constexpr int tiles = 3, width = 128;
    run::array<bf16> x(64 * tiles * width);
    run::array<bf16> one(width * 64, [](auto) { return 1; });
    run::array<float> c(64 * tiles * 64);
    run::array<int> ready(1);
    handed_over<<<2, 1>>>(x, one, c, ready, tiles, width);
    run::expect("handed over", c, [&](auto i) { return width * double(i / 64 / 64 + 1); });
  }
  for (bool isBoxes : {false, true}) {
    constexpr int rows = 160;
    run::array<float> c(2 * rows * n);
    (isBoxes ? boxes : batches)<<<2, 1>>>(a, b, c, 2, rows, k);
    run::expect(isBoxes ? "boxes" : "batches", c, [&](auto i) { return wanted(0, i); });
  }
  {
    run::array<signed char> bytes(k * n, [](auto i) { return double(i * 7 % 31) - 15; });
    run::array<float> c(m * n);
    weights<<<2, 1>>>(a, bytes, c, m, k);
    run::expect("weights", c, [&](std::size_t i) {
      double sum = 0;
      for (int j = 0; j < k; ++j)
        sum += element(i / n * k + j) * (double((j * n + i % n) * 7 % 31) - 15);
      return sum;
    });
  }
  return run::finish();
}
