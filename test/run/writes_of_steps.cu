// Products that take little of K in an iteration and write in each: several iterations are one, and
// what each of them would have written is written, in its order, and no more than that.
#include "products.h"

#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int T = 64;
using relaxed = ct::memory_order_relaxed_t;
using device = ct::thread_scope_device_t;

#define OPERANDS                                                                                   \
  const bf16 *__restrict__ a, const bf16 *__restrict__ b, float *__restrict__ c, int m, int n, int k
#define BLOCK                                                                                      \
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<T, K>{}};          \
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<K, T>{}};          \
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<T, T>{}};          \
  const int x = ct::bid().x, y = ct::bid().y, steps = (k + K - 1) / K;                             \
  const int block = y * int(ct::num_blocks().x) + x;                                               \
  auto sum = ct::zeros<ct::tile<float, ct::shape<T, T>>>();
#define TURN(i) sum = ct::mma(as.load_masked(y, i), bs.load_masked(i, x), sum)

// Numbers of the turn, and one that it carries on; the last one is seen behind the loop.
template <int K>
__tile_global__ void numbers(OPERANDS, int *__restrict__ d, float *__restrict__ e) {
  BLOCK
  float left = 1;
  int *at = d + block * steps;
  for (int i = 0; i < steps; ++i) {
    TURN(i);
    left = left * 0.5f + float(x + i);
    *at++ = int(left * 4);
    if (i % 2 == y % 2)
      e[block] = e[block] + left;
  }
  d[int(ct::num_blocks().x * ct::num_blocks().y) * steps + block] = int(left * 4);
  cs.store_masked(sum, y, x);
}

// As many turns as there are, of which the extents know nothing; and half of them. Places are
// written again and again: the last turn's number stays.
template <int K, int Step>
__tile_global__ void some(OPERANDS, int *__restrict__ d, int first, int last) {
  BLOCK
  for (int i = first; i < last; i += Step) {
    TURN(i);
    d[block] = i;
    ct::atomic_add(d + 64 + i, block, relaxed{}, device{});
  }
  cs.store_masked(sum, y, x);
}

// A loop within each turn, as long as the turn says.
template <int K> __tile_global__ void loops(OPERANDS, int *__restrict__ d) {
  BLOCK
  for (int i = 0; i < steps; ++i) {
    TURN(i);
    for (int j = 0; j <= i % 3; ++j)
      d[(block * steps + i) * 3 + j] = i + j;
  }
  cs.store_masked(sum, y, x);
}

// Rows, of which a turn's and the next one's have elements in common.
template <int K> __tile_global__ void rows(OPERANDS, float *__restrict__ d, float *__restrict__ e) {
  BLOCK
  const int blocks = int(ct::num_blocks().x * ct::num_blocks().y), length = 8 * steps + 8;
  ct::layout_strided_mapping mapping{ct::extents{blocks, steps, 16},
                                     ct::strides{length, 8, ct::integral_constant<1>{}}};
  auto ds = ct::partition_view{ct::tensor_span{d, mapping}, ct::shape<1, 1, 16>{}};
  auto es =
      ct::partition_view{ct::tensor_span{e, ct::extents{blocks, 16 * steps}}, ct::shape<1, 16>{}};
  for (int i = 0; i < steps; ++i) {
    TURN(i);
    ds.store_masked(ct::full<ct::tile<float, ct::shape<1, 1, 16>>>(float(i + 1)), block, i, 0);
    es.store_masked(ct::full<ct::tile<float, ct::shape<1, 16>>>(float(i + block)), block, i);
  }
  cs.store_masked(sum, y, x);
}

double product(const operands &o, int batch, int row, int column, double before) {
  return batch ? before : o.product(0, row, column);
}

template <int K> void check_numbers(sizes s) {
  const dim3 grid((s.n + T - 1) / T, (s.m + T - 1) / T);
  const int blocks = int(grid.x * grid.y), steps = (s.k + K - 1) / K;
  run::array<int> d(blocks * steps + blocks);
  run::array<float> e(blocks);
  check("numbers", numbers<K>, grid, s, product, (int *)d, (float *)e);
  auto left = [&](int block, int turns) {
    float left = 1;
    for (int i = 0; i < turns; ++i)
      left = left * 0.5f + float(block % int(grid.x) + i);
    return left;
  };
  run::expect("of turns", d, [&](std::size_t i) {
    const int at = int(i);
    return at < blocks * steps ? int(left(at / steps, at % steps + 1) * 4)
                               : int(left(at - blocks * steps, steps) * 4);
  });
  run::expect("of every second turn", e, [&](std::size_t block) {
    float all = 0;
    for (int i = 0; i < steps; ++i)
      if (i % 2 == int(block) / int(grid.x) % 2)
        all += left(int(block), i + 1);
    return all;
  });
}

template <int K> void check_loops(sizes s) {
  const dim3 grid((s.n + T - 1) / T, (s.m + T - 1) / T);
  const int steps = (s.k + K - 1) / K;
  run::array<int> d(grid.x * grid.y * steps * 3);
  check("loops", loops<K>, grid, s, product, (int *)d);
  run::expect("of loops", d, [&](std::size_t i) {
    const int j = int(i) % 3, turn = int(i) / 3 % steps;
    return j <= turn % 3 ? turn + j : 0;
  });
}

template <int K, int Step> void check_some(sizes s, int first, int last) {
  const dim3 grid((s.n + T - 1) / T, (s.m + T - 1) / T);
  const int blocks = int(grid.x * grid.y);
  run::array<int> d(128, [](std::size_t) { return -1; });
  check(
      "some", some<K, Step>, grid, s,
      [&](const operands &o, int batch, int row, int column, double before) {
        double sum = 0;
        for (int i = first; i < last; i += Step)
          sum += o.product(0, row, column, (i + 1) * K) - o.product(0, row, column, i * K);
        return batch ? before : sum;
      },
      (int *)d, first, last);
  run::expect("of some", d, [&](std::size_t i) {
    int turn = int(i) - 64, newest = -1, count = -1;
    for (int at = first; at < last; at += Step) {
      newest = at;
      if (at == turn)
        count += blocks * (blocks - 1) / 2;
    }
    return i < 64 ? (int(i) < blocks ? newest : -1) : count;
  });
}

template <int K> void check_rows(sizes s) {
  const dim3 grid((s.n + T - 1) / T, (s.m + T - 1) / T);
  const int blocks = int(grid.x * grid.y), steps = (s.k + K - 1) / K, length = 8 * steps + 8;
  run::array<float> d(blocks * length), e(blocks * 16 * steps);
  check("rows", rows<K>, grid, s, product, (float *)d, (float *)e);
  run::expect("that overlap", d,
              [&](std::size_t i) { return double(std::min(int(i) % length / 8 + 1, steps)); });
  run::expect("that do not", e,
              [&](std::size_t i) { return double(int(i) / 16 % steps + int(i) / 16 / steps); });
}

int main() {
#ifdef ALL_CASES
  const int m = 3 * T, n = 5 * T, depths[] = {32, 128, 160, 200, 257};
#else
  const int m = 2 * T, n = 3 * T, depths[] = {32, 160, 257};
#endif
  for (int k : depths) {
    const sizes s{m - 10, n - 20, k};
#ifdef ALL_CASES
    check_numbers<32>(s);
#endif
    check_numbers<16>(s);
    check_rows<32>(s);
    check_loops<16>(s);
  }
  for (int last : {0, 1, 2, 5, 6, 7}) {
#ifdef ALL_CASES
    check_some<32, 1>({m, n, 224}, 0, last);
#endif
    check_some<16, 1>({m, n, 224}, 1, last);
    check_some<32, 2>({m, n, 224}, 0, last);
  }
  return run::finish();
}
