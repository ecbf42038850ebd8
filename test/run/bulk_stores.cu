// options: --extensions
// Products that leave by bulk copies where the launch can make a map of what they go to (sm_90a):
// elements of all sizes, extents at and beside the tiles', bases and rows that are not aligned,
// tiles outside of the view and before it, columns in memory, several dimensions, several results,
// stores under conditions, tile after tile, the same tile again and again; and sums that are added
// to what is there.
#include "run.h"

#include <cuda_tile.h>

#include <array>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;
using namespace ct::literals;

constexpr int rows = 64, columns = 128, depth = 64;
using tile_shape = ct::shape<rows, columns>;
using sum_tile = ct::tile<float, tile_shape>;

__tile__ sum_tile product(const bf16 *a, const bf16 *b, int m, int n, int k, int row, int column) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<rows, depth>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<depth, columns>{}};
  auto sum = ct::zeros<sum_tile>();
  for (int i = 0; i < ct::ceildiv(k, depth); ++i)
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  return sum;
}
template <class T> __tile__ auto tiles(T *c, int m, int n) {
  return ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, tile_shape{}};
}

/// Elements of every size.
template <class T> __tile_global__ void plain(const bf16 *__restrict__ a,
                                              const bf16 *__restrict__ b, T *__restrict__ c, int m,
                                              int n, int k, int shift) {
  const int row = ct::bid().y, column = ct::bid().x;
  tiles(c, m, n).store_masked(ct::element_cast<T>(product(a, b, m, n, k, row, column)), row + shift,
                              column);
}

/// Rows of c lie further apart than they are long; c begins behind its pointer.
__tile_global__ void padded(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                            bf16 *__restrict__ c, int m, int n, int k, int from, int stride) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto mapping = ct::layout_strided_mapping{ct::extents{m, n}, ct::strides{stride, 1_ic}};
  ct::partition_view{ct::tensor_span{c + from, mapping}, tile_shape{}}.store_masked(
      ct::element_cast<bf16>(product(a, b, m, n, k, row, column)), row, column);
}

/// Columns of c lie together in memory.
__tile_global__ void turned(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                            bf16 *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto mapping = ct::layout_strided_mapping{ct::extents{m, n}, ct::strides{1_ic, m}};
  ct::partition_view{ct::tensor_span{c, mapping}, tile_shape{}}.store_masked(
      ct::element_cast<bf16>(product(a, b, m, n, k, row, column)), row, column);
}

/// A row of bias, and two results: one of them of what is positive, in every second row of tiles.
__tile_global__ void two(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                         const float *__restrict__ bias, bf16 *__restrict__ c,
                         float *__restrict__ d, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto added = ct::partition_view{ct::tensor_span{bias, ct::extents{1, n}}, ct::shape<1, columns>{}}
                   .load_masked(0, column);
  auto sum = product(a, b, m, n, k, row, column) + added;
  tiles(c, m, n).store_masked(ct::element_cast<bf16>(sum), row, column);
  const bool has_tensor_map = row % 2 == 0; // a name that the text has, too
  if (has_tensor_map)
    tiles(d, m, n).store_masked(ct::max(sum, 0.0f), row, column);
}

/// Boxes of three and of four dimensions.
__tile_global__ void batched(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                             bf16 *__restrict__ c, bf16 *__restrict__ d, int batches, int n) {
  auto sum = ct::element_cast<bf16>(product(a, b, rows, n, depth, 0, ct::bid().x));
  ct::partition_view{ct::tensor_span{c, ct::extents{batches, rows, n}},
                     ct::shape<1, rows, columns>{}}
      .store_masked(ct::reshape(sum, ct::shape<1, rows, columns>{}), ct::bid().y, 0, ct::bid().x);
  ct::partition_view{ct::tensor_span{d, ct::extents{batches, 4, 16, n}},
                     ct::shape<1, 4, 16, columns>{}}
      .store_masked(ct::reshape(sum, ct::shape<1, 4, 16, columns>{}), ct::bid().y, 0, 0,
                    ct::bid().x);
}

/// A block takes tile after tile.
__tile_global__ void persistent(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                bf16 *__restrict__ c, int m, int n, int k) {
  const int high = ct::ceildiv(m, rows), wide = ct::ceildiv(n, columns);
  for (int tile = ct::bid().x; tile < high * wide; tile += ct::num_blocks().x)
    tiles(c, m, n).store_masked(
        ct::element_cast<bf16>(product(a, b, m, n, k, tile / wide, tile % wide)), tile / wide,
        tile % wide);
}

/// Every iteration writes the same tile: the last one's values stay.
__tile_global__ void again(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           float *__restrict__ c, int m, int n, int k) {
  for (int row = 0; row < ct::ceildiv(m, rows); ++row)
    tiles(c, rows, n).store_masked(product(a, b, m, n, k, row, 0), 0, 0);
}

/// One tile over a part of another; the later one stays.
__tile_global__ void overlapping(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                 float *__restrict__ c, int m, int n, int k) {
  auto sum = product(a, b, m, n, k, 0, 0), other = product(a, b, m, n, k, 1, 0);
  tiles(c, m, n).store_masked(sum, 0, 0);
  tiles(c, m, n).store_masked(other, 0, 0);
  tiles(c, m, n).store_masked(sum, 1, 0);
}

/// What is there is added, once or for each step.
__tile_global__ void added(const bf16 *__restrict__ a, const bf16 *__restrict__ b, float *c, int m,
                           int n, int k, int times) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto c_tiles = tiles(c, m, n);
  c_tiles.store_masked(c_tiles.load_masked(row, column) + product(a, b, m, n, k, row, column), row,
                       column);
  for (int i = 0; i < times; ++i)
    c_tiles.store_masked(c_tiles.load_masked(row, column) + product(a, b, m, n, k, row, column),
                         row, column);
}
__tile_global__ void added_once(const bf16 *__restrict__ a, const bf16 *__restrict__ b, float *c,
                                int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto c_tiles = tiles(c, m, n);
  c_tiles.store_masked(c_tiles.load_masked(row, column) + product(a, b, m, n, k, row, column), row,
                       column);
}

/// Read again behind the store, by the same block.
__tile_global__ void read_again(const bf16 *__restrict__ a, const bf16 *__restrict__ b, float *c,
                                float *__restrict__ d, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  tiles(c, m, n).store_masked(product(a, b, m, n, k, row, column), row, column);
  tiles(d, m, n).store_masked(tiles(c, m, n).load_masked(row, column) * 2.0f, row, column);
}

/// Each turn adds to what the turn before has left.
__tile_global__ void added_in_turns(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                    float *__restrict__ c, int m, int n, int k, int times) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto c_tiles = tiles(c, m, n);
  for (int i = 0; i < times; ++i)
    c_tiles.store_masked(c_tiles.load_masked(row, column) + product(a, b, m, n, k, row, column),
                         row, column);
}

/// By pointers first, then over it.
__tile_global__ void over_numbers(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                  float *__restrict__ c, int m, int n, int k) {
  ct::store(c + ct::iota<ct::tile<int, ct::shape<columns>>>(),
            ct::full<ct::tile<float, ct::shape<columns>>>(99.0f));
  tiles(c, m, n).store_masked(product(a, b, m, n, k, 0, 0), 0, 0);
}

/// In rows of which bulk copies take one kind at most; the later ones stay.
__tile_global__ void by_two_views(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                  float *__restrict__ c, int m, int n, int k) {
  tiles(c, rows, n).store_masked(product(a, b, m, n, k, 0, 0), 0, 0);
  tiles(c, rows, n - 1).store_masked(product(a, b, m, n, k, 1, 0), 0, 0);
}

/// Block 1 reads what block 0 says is there.
__tile_global__ void announced(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                               float *__restrict__ c, int m, int n, int k, int *__restrict__ flag,
                               float *__restrict__ d) {
  const ct::thread_scope_device_t device;
  if (ct::bid().x == 1) {
    while (ct::atomic_load(flag, ct::memory_order_acquire_t{}, device) == 0)
      ;
    tiles(d, m, n).store_masked(tiles(c, m, n).load_masked(0, 0) * 2.0f, 0, 0);
  }
  if (ct::bid().x == 0) {
    tiles(c, m, n).store_masked(product(a, b, m, n, k, 0, 0), 0, 0);
    ct::atomic_store(flag, 1, ct::memory_order_release_t{}, device);
  }
}

double element(std::size_t i) { return int(i * 7 % 5) - 2; }
double at(int row, int column, int n, int k) {
  double sum = 0;
  for (int i = 0; i < k; ++i)
    sum += element(std::size_t(row) * k + i) * element(std::size_t(i) * n + column);
  return sum;
}
dim3 grid(int m, int n) { return dim3((n + columns - 1) / columns, (m + rows - 1) / rows); }

template <class T> void check_plain(const char *name, const bf16 *x, const bf16 *y) {
  for (auto [m, n, k] : {std::array<int, 3>{rows, columns, depth},
                         {rows + 8, columns + 16, 32},
                         {70, 131, 40},
                         {3, 16, 24},
                         {65, 8, 16}})
    for (int shift : {0, 1, -1}) {
      run::array<T> c(m * n);
      plain<T><<<grid(m, n), 1>>>(x, y, c, m, n, k, shift);
      run::expect(name, c, [&, m = m, n = n, k = k](int i) {
        const int from = i / n / rows - shift; // the tile whose sum went here
        const bool is_written = from >= 0 && from < (m + rows - 1) / rows;
        const int row = i / n - shift * rows;
        return is_written && row < m ? at(row, i % n, n, k) : 0.0;
      });
    }
}

int main() {
  run::array<bf16> x(40000, element), y(40000, element);
  check_plain<signed char>("bytes", x, y);
  check_plain<bf16>("halves", x, y);
  check_plain<float>("floats", x, y);
  check_plain<double>("doubles", x, y);
#ifdef ALL_CASES
  check_plain<int>("ints", x, y);
#endif

  for (auto [m, n, from, stride] : {std::array<int, 4>{70, 136, 0, 136},
                                    {70, 136, 8, 144},
                                    {70, 131, 8, 136},
                                    {70, 136, 1, 144},
                                    {70, 135, 0, 137}}) {
    run::array<bf16> c(from + m * stride);
    padded<<<grid(m, n), 1>>>(x, y, c, m, n, 40, from, stride);
    run::expect("padded", c, [&, m = m, n = n, from = from, stride = stride](int i) {
      const int column = (i - from) % stride;
      return i < from || column >= n ? 0.0 : at((i - from) / stride, column, n, 40);
    });
  }
  for (int m : {72, 70}) {
    const int n = 136, k = 40;
    run::array<bf16> c(m * n);
    turned<<<grid(m, n), 1>>>(x, y, c, m, n, k);
    run::expect("turned", c, [&](int i) { return at(i % m, i / m, n, k); });
  }
  {
    const int m = 136, n = 136, k = 40;
    run::array<float> bias(n, [](std::size_t i) { return double(i % 3) - 1; }), d(m * n);
    run::array<bf16> c(m * n);
    two<<<grid(m, n), 1>>>(x, y, bias, c, d, m, n, k);
    auto sum = [&](int i) { return at(i / n, i % n, n, k) + i % n % 3 - 1; };
    run::expect("first of two", c, sum);
    run::expect("second of two", d,
                [&](int i) { return i / n / rows % 2 == 0 ? std::fmax(sum(i), 0.0) : 0.0; });
  }
  {
    const int batches = 3, n = 136;
    run::array<bf16> c(batches * rows * n), d(batches * rows * n);
    batched<<<dim3(2, batches), 1>>>(x, y, c, d, batches, n);
    auto sum = [&](int i) { return at(i / n % rows, i % n, n, depth); };
    run::expect("batches", c, sum);
    run::expect("batches in parts", d, sum);
  }
  for (int n : {136, 131})
    for (int blocks : {1, 3, 40}) {
      const int m = 200, k = 72;
      run::array<bf16> c(m * n);
      persistent<<<blocks, 1>>>(x, y, c, m, n, k);
      run::expect("persistent", c, [&](int i) { return at(i / n, i % n, n, k); });
    }
  for (int n : {128, 127}) {
    const int m = 4 * rows, k = 40;
    run::array<float> c(rows * n), d(m * n), e(m * n), f(m * n, element), g(m * n), h(m * n);
    again<<<1, 1>>>(x, y, c, m, n, k);
    run::expect("again", c, [&](int i) { return at(i / n + 3 * rows, i % n, n, k); });
    overlapping<<<1, 1>>>(x, y, d, m, n, k);
    run::expect("overlapping", d, [&](int i) {
      const int row = i / n;
      return row < rows       ? at(row + rows, i % n, n, k)
             : row < 2 * rows ? at(row - rows, i % n, n, k)
                              : 0.0;
    });
    added<<<grid(m, n), 1>>>(x, y, e, m, n, k, 3);
    run::expect("added", e, [&](int i) { return 4 * at(i / n, i % n, n, k); });
    added_once<<<grid(m, n), 1>>>(x, y, f, m, n, k);
    run::expect("added once", f, [&](int i) { return element(i) + at(i / n, i % n, n, k); });
    read_again<<<grid(m, n), 1>>>(x, y, g, h, m, n, k);
    run::expect("read again", h, [&](int i) { return 2 * at(i / n, i % n, n, k); });
    run::array<float> turns(m * n), over(rows * n), both(rows * n), said(rows * n), heard(rows * n);
    added_in_turns<<<grid(m, n), 1>>>(x, y, turns, m, n, k, 3);
    run::expect("added in turns", turns, [&](int i) { return 3 * at(i / n, i % n, n, k); });
    over_numbers<<<1, 1>>>(x, y, over, rows, n, k);
    run::expect("over numbers", over, [&](int i) { return at(i / n, i % n, n, k); });
    by_two_views<<<1, 1>>>(x, y, both, 2 * rows, n, k);
    run::expect("by two views", both, [&](int i) {
      const int pitch = n - 1;
      return i < rows * pitch ? at(i / pitch + rows, i % pitch, n, k) : at(i / n, i % n, n, k);
    });
    run::array<int> flag(1);
    announced<<<2, 1>>>(x, y, said, rows, n, k, flag, heard);
    run::expect("announced", heard, [&](int i) { return 2 * at(i / n, i % n, n, k); });
  }
  return run::finish();
}
