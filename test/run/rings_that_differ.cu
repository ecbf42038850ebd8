// Loops whose copies ahead depend on more than the turn: parts of a turn in a ring of many stages,
// tile after tile, with a number of turns that is known; numbers that a loop carries, whose turns
// cannot be counted ahead; two views of one base; a place that memory says, which changes from tile
// to tile; what the block wrote itself; copies of gathered rows beside a multiply in flight; rows
// whose numbers wrap round; a ring where another tile's bytes were.
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

constexpr int T = 128, K = 128;
using sum_tile = ct::tile<float, ct::shape<T, T>>;

template <int Rows, int Columns, class E> __tile__ auto tiles(E *base, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{base, ct::extents{rows, columns}},
                            ct::shape<Rows, Columns>{}};
}

// Tile after tile, in an order that nobody knows; a turn's factors are copied in two parts. Turns:
// of every tile, or as many as k says.
template <int Turns>
__tile_global__ void in_parts(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int m, int k, const int *__restrict__ order) {
  for (int i = ct::bid().x; i < m / T; i += ct::num_blocks().x) {
    const int row = ct::load(order + i);
    auto sum = ct::zeros<sum_tile>();
    for (int j = 0; j < (Turns ? Turns : ct::ceildiv(k, K)); ++j)
      sum = ct::mma(tiles<T, K>(a, m, k).load_masked(row, j),
                    tiles<K, T>(b, k, T).load_masked(j, 0), sum);
    tiles<T, T>(c, m, T).store_masked(sum, row, 0);
  }
}

// How far a turn is from the next one is known when the kernel runs.
__tile_global__ void carried(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                             float *__restrict__ c, int k, long long end, long long step) {
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  int column = 0;
  for (long long i = 0; i < end; i += step) {
    sum = ct::mma(tiles<64, 64>(a, 64, k).load_masked(0, column),
                  tiles<64, 64>(b, k, 64).load_masked(column, 0), sum);
    column += 1;
  }
  tiles<64, 64>(c, 64, 64).store_masked(sum, 0, 0);
}

// The second view ends earlier: zeros in place of its last rows.
__tile_global__ void two_views(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                               float *__restrict__ c, int m, int shorter, int k) {
  auto x = ct::zeros<ct::tile<float, ct::shape<64, 64>>>(), y = x;
  for (int i = 0; i < ct::ceildiv(k, 64); ++i)
    x = ct::mma(tiles<64, 64>(a, m, k).load_masked(0, i), tiles<64, 64>(b, k, 64).load_masked(i, 0),
                x);
  for (int i = 0; i < ct::ceildiv(k, 64); ++i)
    y = ct::mma(tiles<64, 64>(a, shorter, k).load_masked(0, i),
                tiles<64, 64>(b, k, 64).load_masked(i, 0), y);
  tiles<64, 64>(c, 64, 64).store_masked(x + 2.0f * y, 0, 0);
}

// Where the next tile's factor begins lies in memory, and is written tile after tile.
__tile_global__ void from_memory(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                 float *__restrict__ c, int m, int k, int *__restrict__ place) {
  for (int i = ct::bid().x; i < m / T; i += ct::num_blocks().x) {
    const int first = ct::load(place);
    auto sum = ct::zeros<sum_tile>();
    for (int j = 0; j < ct::ceildiv(k, 64); ++j)
      sum = ct::mma(tiles<T, 64>(a + first, T, k).load_masked(0, j),
                    tiles<64, T>(b, k, T).load_masked(j, 0), sum);
    tiles<T, T>(c, m, T).store_masked(sum, i, 0);
    ct::store(place, first + T * k);
  }
}

// The block writes the factor that it reads.
__tile_global__ void written(bf16 *a, const bf16 *__restrict__ b, float *__restrict__ c, int k) {
  for (int i = 0; i < ct::ceildiv(k, 64); ++i)
    tiles<64, 64>(a, 64, k).store_masked(
        ct::full<ct::tile<bf16, ct::shape<64, 64>>>(bf16(float(i + 1))), 0, i);
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  for (int i = 0; i < ct::ceildiv(k, 64); ++i)
    sum = ct::mma(tiles<64, 64>(a, 64, k).load_masked(0, i),
                  tiles<64, 64>(b, k, 64).load_masked(i, 0), sum);
  tiles<64, 64>(c, 64, 64).store_masked(sum, 0, 0);
}

// Turns are 2^31 rows apart: every second one reads and writes the first rows, the others nothing.
__tile_global__ void wrapping(bf16 *x, const bf16 *__restrict__ b, float *__restrict__ c, int n) {
  using size = ct::integral_constant<64>;
  using shape = ct::shape<64, 64>;
  auto xs = ct::strided_view{ct::tensor_span{x, ct::extents{size{}, size{}}}, shape{},
                             ct::strides{ct::integral_constant<1>{}, size{}}};
  auto factor = tiles<64, 64>(b, 64, 64).load_masked(0, 0);
  auto sum = ct::zeros<ct::tile<float, shape>>();
  for (int i = 0; i < n; i += 2048) {
    const unsigned row = unsigned(i) * 1048576u;
    sum = ct::mma(xs.load_masked(row, 0), factor, sum);
    xs.store_masked(ct::full<ct::tile<bf16, shape>>(bf16(float(i / 2048 + 2))), row, 0);
  }
  tiles<64, 64>(c, 64, 64).store_masked(sum, 0, 0);
}

// A tile that goes out transposed goes through shared memory, more than the ring behind it takes.
[[using cutile: hint(0, occupancy = 4)]] __tile_global__ void
behind_another(const bf16 *__restrict__ a, const bf16 *__restrict__ b, float *__restrict__ c, int k,
               const float *__restrict__ x, float *__restrict__ y) {
  tiles<T, T>(y, T, T).store_masked(ct::transpose(tiles<T, T>(x, T, T).load_masked(0, 0)), 0, 0);
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  for (int i = 0; i < ct::ceildiv(k, 64); ++i)
    sum = ct::mma(tiles<64, 64>(a, 64, k).load_masked(0, i),
                  tiles<64, 64>(b, k, 64).load_masked(i, 0), sum);
  tiles<64, 64>(c, 64, 64).store_masked(sum, 0, 0);
}

// Rows in an order of their own, by pointers.
__tile_global__ void gathered(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int k, const int *__restrict__ order) {
  a = ct::assume_aligned<16>(a);
  k = ct::assume_divisible<64>(k);
  auto rows =
      ct::reshape(ct::load(order + ct::iota<ct::tile<int, ct::shape<T>>>()), ct::shape<T, 1>{});
  auto sum = ct::zeros<sum_tile>();
  for (int i = 0; i < k; i += 64) {
    auto x = ct::load(a + (rows * k + (ct::iota<ct::tile<int, ct::shape<1, 64>>>() + i)));
    sum = ct::mma(x, tiles<64, T>(b, k, T).load_masked(i / 64, 0), sum);
  }
  tiles<T, T>(c, T, T).store_masked(sum, 0, 0);
}

using factor = run::array<bf16>;
double at(const factor &a, const factor &b, int row, int column, int columns, int pitch,
          int depth) {
  double sum = 0;
  for (int i = 0; i < depth; ++i)
    sum += a[row * pitch + i] * b[i * columns + column];
  return sum;
}

double element_of_b(std::size_t i) { return run::small(i + 5); }

template <int Turns> void check_in_parts(const char *name, int k) {
  const int m = 3 * T;
  run::array<bf16> a(m * k, run::small), b(k * T, element_of_b);
  run::array<float> c(m * T);
  run::array<int> order(3, [](std::size_t i) { return (i + 1) % 3; });
  in_parts<Turns><<<1, 1>>>(a, b, c, m, k, order);
  run::expect(name, c, [&](std::size_t i) {
    return at(a, b, int(i / T), int(i % T), T, k, Turns ? Turns * K : k);
  });
}

int main() {
  check_in_parts<0>("in parts", 4 * K);
  check_in_parts<0>("one turn in parts", K);
  check_in_parts<2>("two turns in parts", 3 * K);

  const int k = 5 * 64, m = 3 * T;
  run::array<bf16> a(m * k, run::small), b(k * T, element_of_b);
  run::array<float> c(m * T);
  run::array<float> small(64 * 64);
  carried<<<1, 1>>>(a, b, small, k, 5 * 7, 7);
  run::expect("carried", small,
              [&](std::size_t i) { return at(a, b, int(i / 64), int(i % 64), 64, k, k); });
  two_views<<<1, 1>>>(a, b, small, 60, 40, k);
  run::expect("two views", small, [&](std::size_t i) {
    const int row = int(i / 64);
    return row < 60 ? at(a, b, row, int(i % 64), 64, k, k) * (row < 40 ? 3 : 1) : 0;
  });
  run::array<int> place(1, [](std::size_t) { return 0; });
  run::array<bf16> other(m * k, [](std::size_t i) { return int(i % 11) - 5; });
  from_memory<<<1, 1>>>(other, b, c, m, k, place);
  run::expect("from memory", c,
              [&](std::size_t i) { return at(other, b, int(i / T), int(i % T), T, k, k); });
  run::array<int> order(T, [](std::size_t i) { return i * 37 % 128; });
  run::array<float> square(T * T);
  gathered<<<1, 1>>>(a, b, square, k, order);
  run::expect("gathered", square,
              [&](std::size_t i) { return at(a, b, int(order[i / T]), int(i % T), T, k, k); });
  written<<<1, 1>>>(a, b, small, k);
  run::expect("written", small, [&](std::size_t i) {
    double sum = 0;
    for (int j = 0; j < k; ++j)
      sum += (j / 64 + 1) * b[j * 64 + i % 64];
    return sum;
  });

  run::array<float> x(T * T, run::small), y(T * T);
  behind_another<<<1, 1>>>(other, b, small, k, x, y);
  run::expect("behind another", small,
              [&](std::size_t i) { return at(other, b, int(i / 64), int(i % 64), 64, k, k); });
  run::expect("transposed", y, [&](std::size_t i) { return x[i % T * T + i / T]; });
  run::array<bf16> rows(64 * 64, run::small);
  wrapping<<<1, 1>>>(rows, b, small, 5 * 2048);
  run::expect("wrapping", small, [&](std::size_t i) {
    double sum = 0;
    for (int j = 0; j < 64; ++j) // turns 0, 2 and 4
      sum += (run::small(i / 64 * 64 + j) + 2 + 4) * b[j * 64 + i % 64];
    return sum;
  });
  return run::finish();
}
