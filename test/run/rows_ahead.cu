// Loops over rows that copy their loads ahead: views and tiles of pointers, paddings, rows at odd
// addresses, tails, numbers of iterations from none to many, steps that are not above zero, what
// the loop carries, writes to what is read, grids with a block for each tile.
#include "run.h"
#include <climits>
#include <cuda_fp8.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// The largest of each row, which padding with zeros would hide: all elements are negative.
template <class T, int Rows, int Columns>
__tile_global__ void extremes(const T *__restrict__ x, float *__restrict__ out, unsigned rows,
                              unsigned columns, int blocks) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}},
                               ct::shape<Rows, Columns>{}};
  auto outs = ct::partition_view{ct::tensor_span{out, ct::extents{rows}}, ct::shape<Rows>{}};
  for (auto i : ct::irange(int(ct::bid().x), int((rows + Rows - 1) / Rows), blocks)) {
    auto row =
        ct::element_cast<float>(xs.template load_masked<ct::view_padding::negative_inf>(i, 0));
    outs.store_masked(ct::reshape<ct::shape<Rows>>(ct::reduce_max<1>(row)), i);
  }
}

// The same by pointers, with an infinity outside the mask; the step is a constant.
template <int Columns> __tile_global__ void smallest(const __nv_bfloat16 *__restrict__ x,
                                                     float *__restrict__ out, int stride, int rows,
                                                     int columns) {
  using numbers = ct::tile<int, ct::shape<Columns>>;
  using row = ct::tile<__nv_bfloat16, ct::shape<Columns>>;
  for (int i = ct::bid().x; i < rows; i += 3) {
    auto column = ct::iota<numbers>();
    auto padding = ct::full<row>(__nv_bfloat16(INFINITY));
    auto found = ct::load_masked(x + i * stride + column, column < columns, padding);
    ct::store(out + i, float(ct::reduce_min<0>(ct::element_cast<float>(found))));
  }
}

// Carried sums, two reads of an iteration, integers, a loop of the grid's step.
template <int Columns> __tile_global__ void dots(const int *__restrict__ x,
                                                 const signed char *__restrict__ y,
                                                 int *__restrict__ out, unsigned rows) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, unsigned(Columns)}},
                               ct::shape<1, Columns>{}};
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{rows, unsigned(Columns)}},
                               ct::shape<1, Columns>{}};
  auto sum = ct::zeros<ct::tile<int, ct::shape<1, Columns>>>();
  int last = -1;
  for (int i = ct::bid().x; i < int(rows); i += ct::num_blocks().x) {
    sum = sum + xs.load(i, 0) * ct::element_cast<int>(ys.load(i, 0));
    last = i;
  }
  auto outs = ct::partition_view{
      ct::tensor_span{out, ct::extents{unsigned(ct::num_blocks().x), unsigned(Columns)}},
      ct::shape<1, Columns>{}};
  outs.store(sum + last, int(ct::bid().x), 0);
}

// A block counts its rows, every so many blocks one.
template <int Columns>
__tile_global__ void scaled(const float *__restrict__ x, float *__restrict__ y, int rows) {
  const int first = ct::bid().x, blocks = ct::num_blocks().x;
  const ct::extents extents{unsigned(rows), unsigned(Columns)};
  auto xs = ct::partition_view{ct::tensor_span{x, extents}, ct::shape<1, Columns>{}};
  auto ys = ct::partition_view{ct::tensor_span{y, extents}, ct::shape<1, Columns>{}};
  for (int i = 0; i < (rows - first + blocks - 1) / blocks; ++i) {
    auto row = xs.load(first + i * blocks, 0);
    ys.store(row / ct::reduce_max<1>(row), first + i * blocks, 0);
  }
}

// Each row is the sum of the row before it and itself: what is read was written an iteration ago.
template <int Columns> __tile_global__ void running(float *x, int rows) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{unsigned(rows), unsigned(Columns)}},
                               ct::shape<1, Columns>{}};
  for (int i = int(ct::bid().x) + 1; i < rows; i += 2 - int(ct::num_blocks().x))
    xs.store(xs.load(i, 0) + xs.load(i - 1, 0), i, 0);
}

// In place, a row of a block's own at a time.
template <int Columns> __tile_global__ void doubled(float *x, int rows) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{unsigned(rows), unsigned(Columns)}},
                               ct::shape<1, Columns>{}};
  for (int i = ct::bid().x; i < rows; i += ct::num_blocks().x)
    xs.store(xs.load(i, 0) + xs.load(i, 0), i, 0);
}

// Rows padded with an infinity, or the largest number of a type without one.
template <class T, int Columns> __tile_global__ void
padded(const T *__restrict__ x, float *__restrict__ out, unsigned rows, unsigned columns) {
  auto box = ct::shape<1, Columns>{};
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, box};
  auto outs = ct::partition_view{ct::tensor_span{out, ct::extents{rows, unsigned(Columns)}}, box};
  for (int i = ct::bid().x; i < int(rows); i += ct::num_blocks().x) {
    auto row = xs.template load_masked<ct::view_padding::negative_inf>(i, 0);
    outs.store(ct::element_cast<float>(row), i, 0);
  }
}

// A step of -1: unsigned counters go down to zero; signed ones have no iteration, whose rows are
// none that may be read.
template <class Counter> __tile_global__ void
downwards(const float *__restrict__ x, float *__restrict__ out, Counter first, Counter end) {
  using numbers = ct::tile<int, ct::shape<256>>;
  auto column = ct::iota<numbers>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<256>>>();
  for (Counter i = first; i < end; i += Counter(ct::num_blocks().x) - 2)
    sum = sum + ct::load(x + int(i) * 256 + column);
  ct::store(out + column, sum);
}

// Counters near the end of their type, whose next ones do not exist.
__tile_global__ void near_end(const float *__restrict__ x, float *__restrict__ out, int end) {
  constexpr int columns = 256;
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{8u, unsigned(columns)}},
                               ct::shape<1, columns>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<1, columns>>>();
  const int first = INT_MAX - 100;
  for (int i = first + int(ct::bid().x); i < end; i += 33 * int(ct::num_blocks().x))
    sum = sum + xs.load_masked((i - first) / 33, 0);
  ct::partition_view{ct::tensor_span{out, ct::extents{1u, unsigned(columns)}},
                     ct::shape<1, columns>{}}
      .store(sum, 0, 0);
}

double negative(std::size_t i) { return run::small(i) - 3; }

template <class T, int Rows, int Columns>
void check_extremes(const char *name, unsigned rows, unsigned columns, int blocks) {
  run::array<T> x(std::size_t(rows) * columns, negative);
  run::array<float> out(rows);
  extremes<T, Rows, Columns><<<blocks, 1>>>(x, out, rows, columns, blocks);
  run::expect(name, out, [&](auto i) {
    double largest = -HUGE_VAL;
    for (unsigned c = 0; c < columns; ++c)
      largest = std::fmax(largest, negative(i * columns + c));
    return largest;
  });
}

void check_smallest(int stride, int rows, int columns) {
  run::array<__nv_bfloat16> x(std::size_t(rows) * stride + 64,
                              [](auto i) { return run::small(i) + 3; });
  run::array<float> out(rows);
  smallest<512><<<3, 1>>>(x, out, stride, rows, columns);
  run::expect("smallest", out, [&](auto i) {
    double least = HUGE_VAL;
    for (int c = 0; c < columns; ++c)
      least = std::fmin(least, run::small(i * stride + c) + 3);
    return least;
  });
}

void check_dots(unsigned rows, unsigned blocks) {
  constexpr int columns = 256;
  auto x_at = [](auto i) { return int(i * 7 % 1000) - 500; };
  auto y_at = [](auto i) { return int(i * 13 % 200) - 100; };
  run::array<int> x(rows * columns, x_at);
  run::array<signed char> y(rows * columns, y_at);
  run::array<int> out(blocks * columns);
  dots<columns><<<blocks, 1>>>(x, y, out, rows);
  run::expect("dots", out, [&](auto i) {
    unsigned column = unsigned(i) % columns;
    int sum = 0, last = -1;
    for (unsigned r = unsigned(i) / columns; r < rows; r += blocks) {
      sum += x_at(r * columns + column) * y_at(r * columns + column);
      last = int(r);
    }
    return sum + last;
  });
}

template <class Counter>
void check_downwards(const char *name, Counter first, Counter end, unsigned rows) {
  run::array<float> x(std::size_t(rows) * 256, run::small), out(256);
  downwards<Counter><<<1, 1>>>(x, out, first, end);
  run::expect(name, out, [&](auto column) {
    double sum = 0;
    for (long long i = first; i >= 0 && first < end; --i)
      sum += run::small(std::size_t(i) * 256 + column);
    return sum;
  });
}

template <class T> void check_padded(const char *name, unsigned rows, double padding) {
  constexpr int columns = 512;
  run::array<T> bytes(rows * 400, [](auto i) { return float(i % 4); });
  run::array<float> whole(rows * columns);
  padded<T, columns><<<1, 1>>>(bytes, whole, rows, 400);
  run::expect(name, whole, [&](auto i) {
    return i % columns < 400 ? double((i / columns * 400 + i % columns) % 4) : padding;
  });
}

int main() {
  for (unsigned rows : {1u, 7u, 40u}) {
    for (int blocks : {1, 3, 40}) {
      check_extremes<float, 1, 128>("floats", rows, 100, blocks);
      check_extremes<__half, 2, 256>("halves", rows, 255, blocks); // odd addresses
    }
    check_extremes<__nv_bfloat16, 4, 1024>("whole", rows, 1024, 2);
  }
  check_extremes<float, 8, 64>("tails", 13, 33, 2);
  for (int columns : {512, 300, 1}) {
    check_smallest(512, 10, columns);
    check_smallest(515, 10, columns); // odd addresses
  }
  for (unsigned blocks : {1u, 2u, 9u})
    check_dots(9, blocks);
  constexpr int columns = 512, rows = 6;
  run::array<float> sums(rows * columns, run::small);
  running<columns><<<1, 1>>>(sums, rows);
  run::expect("running", sums, [](auto i) {
    double sum = 0;
    for (int r = int(i) / columns; r >= 0; --r)
      sum += run::small(std::size_t(r * columns) + i % columns);
    return sum;
  });
  for (int blocks : {1, 2, rows}) {
    run::array<float> twice(rows * columns, run::small);
    doubled<columns><<<blocks, 1>>>(twice, rows);
    run::expect("doubled", twice, [](auto i) { return 2 * run::small(i); });
  }
  for (int blocks : {1, 4, rows}) {
    run::array<float> of(rows * columns, [](auto i) { return double(1 + i % 8 + i / 512); });
    run::array<float> shares(rows * columns);
    scaled<columns><<<blocks, 1>>>(of, shares, rows);
    run::expect("scaled", shares, [&](auto i) { return of[i] / double(8 + i / 512); });
  }
  check_padded<__nv_fp8_e4m3>("padded e4m3", rows, -448);
  check_padded<__nv_fp8_e5m2>("padded e5m2", rows, -INFINITY);
  check_downwards<unsigned>("unsigned", 5, 10, 6);
  check_downwards<unsigned long long>("unsigned long long", 5, 10, 6);
  check_downwards<int>("none", 0, 0, 1);
  run::array<float> x(8 * 256, run::small), out(256);
  for (int end : {INT_MAX - 100, INT_MAX - 50, INT_MAX - 33}) {
    near_end<<<1, 1>>>(x, out, end);
    run::expect("near_end", out, [&](auto i) {
      double sum = 0;
      for (int r = 0; r * 33ll < end - (INT_MAX - 100ll); ++r)
        sum += run::small(std::size_t(r * 256) + i);
      return sum;
    });
  }
  return run::finish();
}
