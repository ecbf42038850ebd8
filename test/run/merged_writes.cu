// options: --extensions
// Products whose blocks write by themselves, in the loop and behind it, where one block does the
// work of several: what each of them would have written is written once, in its own order.
#include "products.h"

#include <cassert>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int T = 64;
using relaxed = ct::memory_order_relaxed_t;
using device = ct::thread_scope_device_t;
using sum_of_tile = ct::tile<float, ct::shape<T, T>>;

#define OPERANDS                                                                                   \
  const bf16 *__restrict__ a, const bf16 *__restrict__ b, float *__restrict__ c, int m, int n, int k
#define BLOCK                                                                                      \
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<T, T>{}};          \
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<T, T>{}};          \
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<T, T>{}};          \
  const int x = ct::bid().x, y = ct::bid().y, steps = (k + T - 1) / T;                             \
  const int columns = ct::num_blocks().x, block = y * columns + x;                                 \
  (void)block;                                                                                     \
  auto sum = ct::zeros<sum_of_tile>();
#define TURN(i) sum = ct::mma(as.load_masked(y, i), bs.load_masked(i, x), sum)

// ---- Scalars ------------------------------------------------------------------------------------

__tile_global__ void progress(OPERANDS, int *d) {
  BLOCK
  for (int i = 0; i < steps; ++i) {
    TURN(i);
    d[block] = i + 1;
  }
  cs.store_masked(sum, y, x);
}

// A number that each block carries, and a place that it moves.
__tile_global__ void carried(OPERANDS, float *d) {
  BLOCK
  float left = 1;
  float *at = d + block * steps;
  for (int i = 0; i < steps; ++i) {
    TURN(i);
    left = left * 0.5f + float(x + 10 * y);
    *at++ = left;
  }
  cs.store_masked(sum, y, x);
}

// What a block has written it reads again, under conditions of its own, as often as it says.
__tile_global__ void own_memory(OPERANDS, int *d) {
  BLOCK
  for (int i = 0; i < steps; ++i) {
    TURN(i);
    if (block % 3 == 0)
      d[block] = d[block] + i + 1;
    else if (x > y)
      for (int j = 0; j < x; ++j)
        d[block] += 10;
  }
  cs.store_masked(sum, y, x);
}

// No block divides by 0, and one that is not there must not either.
__tile_global__ void quotients(OPERANDS, int *d) {
  BLOCK
  for (int i = 0; i < steps; ++i) {
    TURN(i);
    d[block * steps + i] = 840 / (columns - x) + 840 % (columns - x);
  }
  cs.store_masked(sum, y, x);
}

// An index that wraps round in 8 bits.
__tile_global__ void narrow(OPERANDS, int *d) {
  BLOCK
  const unsigned char at = (unsigned char)(x * 96);
  for (int i = 0; i < steps; ++i) {
    TURN(i);
    d[y * 256 + at] = x + i;
  }
  cs.store_masked(sum, y, x);
}

// Each block has four numbers of its own.
__tile_global__ void local_array(OPERANDS, int *d) {
  BLOCK
  int last[4] = {};
  for (int i = 0; i < steps; ++i) {
    TURN(i);
    last[(i + x) % 4] = x + i;
    d[block * steps + i] = last[(i + x + 3) % 4];
  }
  cs.store_masked(sum, y, x);
}

// The first row of the next turn's operand, which nobody else reads: blocks of one column.
__tile_global__ void next_turn(bf16 *a, const bf16 *b, float *c, int m, int n, int k) {
  BLOCK
  for (int i = 0; i < steps; ++i) {
    TURN(i);
    if (i + 1 < steps)
      a[y * T * k + (i + 1) * T] = bf16(float(y + 2));
  }
  cs.store_masked(sum, y, x);
}

// ---- Atomics ------------------------------------------------------------------------------------

__tile_global__ void histogram(OPERANDS, int *__restrict__ d) {
  BLOCK
  for (int i = 0; i < steps; ++i) {
    TURN(i);
    ct::atomic_add(d + (x + y + i) % 16, 1, relaxed{}, device{});
    ct::atomic_add(d + 16, 1, relaxed{}, device{});
    ct::atomic_max(d + 17, block, relaxed{}, device{});
  }
  cs.store_masked(sum, y, x);
}

// Tickets: each number comes once. The counter that a block has for itself counts its turns.
__tile_global__ void tickets(OPERANDS, int *__restrict__ d, int *__restrict__ counters) {
  BLOCK
  for (int i = 0; i < steps; ++i) {
    TURN(i);
    d[block * steps + i] = ct::atomic_add(counters, 1, relaxed{}, device{});
    const int own = ct::atomic_add(counters + 1 + block, 2, relaxed{}, device{});
    if (own != 2 * i)
      ct::atomic_add(counters, 1000000, relaxed{}, device{});
    int expected =
        ct::atomic_compare_exchange(counters + 1 + block, own + 2, own + 2, relaxed{}, device{});
    ct::atomic_store(counters + 1 + block, expected, relaxed{}, device{});
  }
  cs.store_masked(sum, y, x);
}

// A release, and what it releases: the last block of a row adds up what the others have stored.
__tile_global__ void released(OPERANDS, int *d, int *counters) {
  BLOCK
  for (int i = 0; i < steps; ++i)
    TURN(i);
  cs.store_masked(sum, y, x);
  d[block] = x + 1;
  const int before = ct::atomic_add(counters + y, 1, ct::memory_order_acq_rel_t{}, device{});
  if (before == columns - 1) {
    int all = 0;
    for (int i = 0; i < columns; ++i)
      all += d[y * columns + i];
    counters[100 + y] = all;
  }
}

// ---- Tiles --------------------------------------------------------------------------------------

// Rows of 16 through a view, rows by pointers, a tile that all blocks have read, boxes that lie
// side by side.
__tile_global__ void rows(OPERANDS, float *__restrict__ d, float *__restrict__ e,
                          float *__restrict__ f, const float *__restrict__ g) {
  BLOCK
  const int blocks = columns * int(ct::num_blocks().y);
  auto ds =
      ct::partition_view{ct::tensor_span{d, ct::extents{blocks, 16 * steps}}, ct::shape<1, 16>{}};
  auto fs =
      ct::partition_view{ct::tensor_span{f, ct::extents{blocks, 16 * columns}}, ct::shape<1, 16>{}};
  auto read =
      ct::partition_view{ct::tensor_span{g, ct::extents{1, 16}}, ct::shape<1, 16>{}}.load_masked(0,
                                                                                                 0);
  auto lanes = ct::iota<ct::tile<int, ct::shape<16>>>();
  for (int i = 0; i < steps; ++i) {
    TURN(i);
    ds.store_masked(read + float(x + i), block, i);
    ct::store(e + (block * steps + i) * 16 + lanes, ct::element_cast<float>(lanes + i * x));
    fs.store_masked(ct::full<ct::tile<float, ct::shape<1, 16>>>(float(i)), y, x);
  }
  cs.store_masked(sum, y, x);
}

// ---- Behind the loop ----------------------------------------------------------------------------

// By pointers to all elements, under a mask.
__tile_global__ void scattered(OPERANDS) {
  BLOCK
  for (int i = 0; i < steps; ++i)
    TURN(i);
  auto rows = ct::iota<ct::tile<int, ct::shape<T, 1>>>() + y * T;
  auto places = ct::iota<ct::tile<int, ct::shape<1, T>>>() + x * T;
  ct::store_masked(c + (rows * n + places), sum, rows < m && places < n);
}

// By a pointer to the block's first element, numbers that run on over rows, and numbers of 64 bits.
__tile_global__ void from_corner(OPERANDS) {
  BLOCK
  for (int i = 0; i < steps; ++i)
    TURN(i);
  float *corner = c + (long long)y * T * n + x * T;
  auto all = ct::iota<ct::tile<long long, ct::shape<T, T>>>();
  auto rows = all / T, places = all % T;
  ct::store_masked(corner + (rows * n + places), sum, rows + y * T < m && places + x * T < n);
}

// To rows that a table gives: each block's pointers are its own.
__tile_global__ void by_table(OPERANDS, const int *__restrict__ table) {
  BLOCK
  for (int i = 0; i < steps; ++i)
    TURN(i);
  float *to = c + table[y] * T * n;
  auto rows = ct::iota<ct::tile<int, ct::shape<T, 1>>>();
  auto places = ct::iota<ct::tile<int, ct::shape<1, T>>>() + table[x] * T;
  ct::store_masked(to + (rows * n + places), sum, rows + table[y] * T < m && places < n);
}

// Split-K: blocks along z add up.
__tile_global__ void split(OPERANDS) {
  BLOCK
  for (int i = ct::bid().z; i < steps; i += ct::num_blocks().z)
    TURN(i);
  cs.atomic_add_masked(sum, relaxed{}, device{}, y, x);
}

// Four results: as it is, in other numbers, turned, and what is largest in each row and column.
__tile_global__ void results(OPERANDS, bf16 *__restrict__ d, float *__restrict__ e,
                             float *__restrict__ top, float *__restrict__ sums) {
  BLOCK
  for (int i = 0; i < steps; ++i)
    TURN(i);
  const int rows = int(ct::num_blocks().y);
  cs.store_masked(sum, y, x);
  ct::partition_view{ct::tensor_span{d, ct::extents{m, n}}, ct::shape<T, T>{}}.store_masked(
      ct::element_cast<bf16>(sum * 0.5f), y, x);
  ct::partition_view{ct::tensor_span{e, ct::extents{n, m}}, ct::shape<T, T>{}}.store_masked(
      ct::transpose(sum), x, y);
  ct::partition_view{ct::tensor_span{top, ct::extents{m, columns}}, ct::shape<T, 1>{}}.store_masked(
      ct::reduce_max<1>(sum), y, x);
  ct::partition_view{ct::tensor_span{sums, ct::extents{rows, n}}, ct::shape<1, T>{}}.store_masked(
      ct::sum<0>(sum), y, x);
}

// Some blocks do nothing, others stop early, one says that all is well.
__tile_global__ void early(OPERANDS, int *d) {
  BLOCK
  if (x == 1 && y == 2)
    return;
  assert(x >= 0);
  for (int i = 0; i < steps; ++i) {
    TURN(i);
    d[block] = i + 1;
  }
  if (x == y)
    return;
  cs.store_masked(sum, y, x);
}

// As many turns as the row says.
__tile_global__ void triangle(OPERANDS, int *d) {
  BLOCK
  for (int i = 0; i <= y && i < steps; ++i) {
    TURN(i);
    d[block * steps + i] = x + i;
  }
  cs.store_masked(sum, y, x);
}

constexpr sizes whole{5 * T, 7 * T, 6 * T}, ragged{5 * T - 24, 7 * T - 40, 3 * T + 8};

int steps_of(sizes s) { return (s.k + T - 1) / T; }

double product(const operands &o, int batch, int row, int column, double before) {
  return batch ? before : o.product(0, row, column);
}

void check_scalars(sizes s) {
  const dim3 grid(7, 5);
  const int steps = steps_of(s), blocks = 35;
  auto x_of = [](std::size_t block) { return int(block % 7); };
  auto y_of = [](std::size_t block) { return int(block / 7); };
  run::array<int> numbers(blocks);
  check("progress", progress, grid, s, product, (int *)numbers);
  run::expect("numbers", numbers, [&](std::size_t) { return steps; });
  run::array<float> left(blocks * steps);
  check("carried", carried, grid, s, product, (float *)left);
  run::expect("left", left, [&](std::size_t i) {
    float wanted = 1;
    for (int turn = 0; turn <= int(i) % steps; ++turn)
      wanted = wanted * 0.5f + float(x_of(i / steps) + 10 * y_of(i / steps));
    return double(wanted);
  });
  run::array<int> own(blocks);
  check("own memory", own_memory, grid, s, product, (int *)own);
  run::expect("own", own, [&](std::size_t block) {
    const int x = x_of(block), y = y_of(block);
    return block % 3 == 0 ? steps * (steps + 1) / 2 : x > y ? 10 * x * steps : 0;
  });
  run::array<int> parts(blocks * steps);
  check("quotients", quotients, grid, s, product, (int *)parts);
  run::expect("parts", parts, [&](std::size_t i) {
    const int by = 7 - x_of(i / steps);
    return 840 / by + 840 % by;
  });
  run::array<int> narrows(256 * 5, [](std::size_t) { return -1; });
  check("narrow", narrow, grid, s, product, (int *)narrows);
  run::expect("narrows", narrows, [&](std::size_t i) {
    for (int x = 0; x < 7; ++x)
      if (x * 96 % 256 == int(i % 256))
        return x + steps - 1;
    return -1;
  });
  run::array<int> last(blocks * steps);
  check("local array", local_array, grid, s, product, (int *)last);
  run::expect("last", last, [&](std::size_t i) {
    const int turn = int(i) % steps;
    return turn ? x_of(i / steps) + turn - 1 : 0;
  });
}

void check_next_turn() {
  const sizes s{9 * T, T, 4 * T};
  operands o(s);
  next_turn<<<dim3(1, 9), 1>>>(o.a, o.b, o.c, s.m, s.n, s.k);
  run::expect("next turn", o.c, [&](std::size_t i) {
    const std::size_t row = i / s.n, column = i % s.n;
    if (row >= std::size_t(s.m))
      return operands::before(i);
    double sum = 0;
    for (int k = 0; k < s.k; ++k) {
      const bool is_written = row % T == 0 && k % T == 0 && k > 0;
      sum += (is_written ? double(row / T + 2) : run::small(row * s.k + k)) *
             operands::element_of_b(std::size_t(k) * s.n + column);
    }
    return sum;
  });
}

void check_atomics(sizes s) {
  const dim3 grid(7, 5);
  const int steps = steps_of(s), blocks = 35;
  run::array<int> counts(18);
  check("histogram", histogram, grid, s, product, (int *)counts);
  run::expect("counts", counts, [&](std::size_t bin) {
    int wanted = 0;
    for (int x = 0; x < 7; ++x)
      for (int y = 0; y < 5; ++y)
        for (int i = 0; i < steps; ++i)
          wanted += (x + y + i) % 16 == int(bin);
    return bin < 16 ? wanted : bin == 16 ? blocks * steps : blocks - 1;
  });
  run::array<int> numbers(blocks * steps), counters(1 + blocks);
  check("tickets", tickets, grid, s, product, (int *)numbers, (int *)counters);
  run::expect("counters", counters, [&](std::size_t i) { return i ? 2 * steps : blocks * steps; });
  numbers.fetch();
  std::sort(numbers.host.get(), numbers.host.get() + numbers.size);
  for (std::size_t i = 0; i < numbers.size; ++i)
    run::failures += numbers[i] != double(i);
  run::array<int> stored(blocks), done(105);
  check("released", released, grid, s, product, (int *)stored, (int *)done);
  run::expect("done", done, [&](std::size_t i) { return i < 5 ? 7 : i < 100 ? 0 : 28; });
}

void check_tiles(sizes s) {
  const dim3 grid(7, 5);
  const int steps = steps_of(s), blocks = 35;
  run::array<float> d(blocks * 16 * steps), e(blocks * 16 * steps), f(blocks * 16 * 7),
      g(16, [](std::size_t i) { return double(i * i); });
  check("rows", rows, grid, s, product, (float *)d, (float *)e, (float *)f,
        (const float *)(float *)g);
  run::expect("rows of a view", d, [&](std::size_t i) {
    const int lane = int(i % 16), turn = int(i / 16) % steps, block = int(i / 16) / steps;
    return double(lane * lane + block % 7 + turn);
  });
  run::expect("rows by pointers", e, [&](std::size_t i) {
    const int lane = int(i % 16), turn = int(i / 16) % steps, block = int(i / 16) / steps;
    return double(lane + turn * (block % 7));
  });
  run::expect("boxes side by side", f,
              [&](std::size_t i) { return i < 5 * 16 * 7 ? double(steps - 1) : 0; });
}

void check_results(sizes s) {
  const dim3 grid(7, 5);
  check("scattered", scattered, grid, s, product);
  check("from a corner", from_corner, grid, s, product);
  run::array<int> table(7, [](std::size_t i) { return int(i); });
  check("by a table", by_table, grid, s, product, (const int *)(int *)table);
  check("split", split, dim3(7, 5, 3), s,
        [](const operands &o, int batch, int row, int column, double before) {
          return batch ? before : before + o.product(0, row, column);
        });
  run::array<bf16> d(s.m * s.n);
  run::array<float> e(s.m * s.n), top(s.m * 7), sums(5 * s.n);
  operands o(s);
  check("results", results, grid, s, product, (bf16 *)d, (float *)e, (float *)top, (float *)sums);
  run::expect("halves", d, [&](std::size_t i) {
    return double(
        __bfloat162float(__float2bfloat16(float(o.product(0, int(i / s.n), int(i % s.n)) * 0.5))));
  });
  run::expect("turned", e, [&](std::size_t i) { return o.product(0, int(i % s.m), int(i / s.m)); });
  run::expect("largest of rows", top, [&](std::size_t i) {
    const int row = int(i) / 7, first = int(i) % 7 * T;
    double wanted = first + T > s.n ? 0 : -1e30; // what is outside is 0
    for (int column = first; column < std::min(first + T, s.n); ++column)
      wanted = std::max(wanted, o.product(0, row, column));
    return wanted;
  });
  run::expect("sums of columns", sums, [&](std::size_t i) {
    const int column = int(i) % s.n, first = int(i) / s.n * T;
    double wanted = 0;
    for (int row = first; row < std::min(first + T, s.m); ++row)
      wanted += o.product(0, row, column);
    return wanted;
  });
}

void check_ends(sizes s) {
  const dim3 grid(7, 5);
  const int steps = steps_of(s), blocks = 35;
  run::array<int> numbers(blocks);
  check(
      "early", early, grid, s,
      [](const operands &o, int batch, int row, int column, double before) {
        const int x = column / T, y = row / T;
        return batch || (x == 1 && y == 2) || x == y ? before : o.product(0, row, column);
      },
      (int *)numbers);
  run::expect("of early", numbers, [&](std::size_t i) { return i == 15 ? 0 : steps; });
  run::array<int> turns(blocks * steps);
  check(
      "triangle", triangle, grid, s,
      [](const operands &o, int batch, int row, int column, double before) {
        return batch ? before : o.product(0, row, column, (row / T + 1) * T);
      },
      (int *)turns);
  run::expect("of triangle", turns, [&](std::size_t i) {
    const int turn = int(i) % steps, block = int(i) / steps;
    return turn <= block / 7 ? block % 7 + turn : 0;
  });
}

int main() {
  check_scalars(ragged);
  check_atomics(whole);
  check_tiles(ragged);
  check_results(ragged);
  check_ends(whole);
#ifdef ALL_CASES
  check_scalars(whole);
  check_atomics(ragged);
  check_tiles(whole);
  check_results(whole);
  check_ends(ragged);
#endif
  check_next_turn();
  return run::finish();
}
