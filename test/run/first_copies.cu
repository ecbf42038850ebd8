// What a loop copies before its first turn, where that is a loop of its own: turns that do not take
// place and whose numbers no type of the loop's holds, what the loop carries, several parts a turn,
// what would be divided by zero, results of an earlier product that are overwritten.
#include "run.h"
#include <climits>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int rows = 64, depth = 64, most = 9;
using product = ct::tile<float, ct::shape<rows, rows>>;

__tile__ auto factor_of(const __half *x) {
  return ct::partition_view{ct::tensor_span{x, ct::extents{rows, depth * most}},
                            ct::shape<rows, depth>{}};
}

__tile__ void store(float *out, product sum) {
  ct::partition_view{ct::tensor_span{out, ct::shape<rows, rows>{}}, ct::shape<rows, rows>{}}.store(
      sum, 0, 0);
}

// Counters near the end of what their type holds: the program itself stops before it.
template <class T>
__tile_global__ void near_end(const __half *x, const __half *y, float *out, T first, T end) {
  auto xs = factor_of(x), ys = factor_of(y);
  auto sum = ct::zeros<product>();
  for (T i = first; i < end; i += depth) {
    int at = int((i - first) / depth);
    sum = ct::mma(xs.load_masked(0, at), ct::transpose(ys.load_masked(0, at)), sum);
  }
  store(out, sum);
}

// The same with a step that is known when the kernel runs.
template <class T>
__tile_global__ void stepped(const __half *x, const __half *y, float *out, T first, T end, T step) {
  auto xs = factor_of(x), ys = factor_of(y);
  auto sum = ct::zeros<product>();
  for (T i = first; i < end; i += step) {
    int at = int((i - first) / step);
    sum = ct::mma(xs.load_masked(0, at), ct::transpose(ys.load_masked(0, at)), sum);
  }
  store(out, sum);
}

// A step that is not above zero: an unsigned counter goes down until it wraps, a signed one has no
// iteration.
template <class T> __tile_global__ void downwards(const __half *x, const __half *y, float *out,
                                                  T first, T end, T step) {
  auto xs = factor_of(x), ys = factor_of(y);
  auto sum = ct::zeros<product>();
  int at = 0;
  for (T i = first; i < end; i += step, ++at)
    sum = ct::mma(xs.load_masked(0, at), ct::transpose(ys.load_masked(0, at)), sum);
  store(out, sum);
}

// Two parts a turn, of pointers that move; a number that grows beside them.
[[using cutile: hint(0, occupancy = 1)]] __tile_global__ void
moving(const __half *x, const __half *y, float *out, int n) {
  constexpr int both = 2 * depth;
  auto sum = ct::zeros<product>();
  const auto rows_of_y =
      ct::layout_strided_mapping{ct::extents{rows, both}, ct::strides{depth * most, 1}};
  const __half *of_y = y;
  int column = 0;
  for (int i = 0; i < n; ++i) {
    auto a = ct::partition_view{ct::tensor_span{x, ct::extents{rows, depth * most}},
                                ct::shape<rows, both>{}}
                 .load_masked(0, column);
    auto b =
        ct::partition_view{ct::tensor_span{of_y, rows_of_y}, ct::shape<rows, both>{}}.load_masked(
            0, 0);
    sum = ct::mma(a, ct::transpose(b), sum);
    of_y += both;
    ++column;
  }
  store(out, sum);
}

// Without a turn nothing divides.
__tile_global__ void divided(const __half *x, const __half *y, float *out, int n, int by) {
  auto xs = factor_of(x), ys = factor_of(y);
  auto sum = ct::zeros<product>();
  for (int i = 0; i < n; ++i)
    sum = ct::mma(xs.load_masked(0, i / by), ct::transpose(ys.load_masked(0, i % by)), sum);
  store(out, sum);
}

// The second product's first copies overwrite what the first one's result goes out from.
__tile_global__ void after_another(const __half *x, const __half *y, float *out, int n,
                                   bool twice) {
  auto xs = factor_of(x), ys = factor_of(y);
  auto sum = ct::zeros<product>();
  for (int i = 0; i < n; ++i)
    sum = ct::mma(xs.load_masked(0, i), ct::transpose(ys.load_masked(0, i)), sum);
  store(out, sum);
  if (twice) {
    auto other = ct::zeros<product>();
    for (int i = 0; i < n; ++i)
      other = ct::mma(ys.load_masked(0, i), ct::transpose(xs.load_masked(0, i)), other);
    store(out + rows * rows, other);
  }
}

double x_at(std::size_t i) { return run::small(i); }
double y_at(std::size_t i) { return run::small(i + 5); }

// Element i of the product over the first `turns` tiles of `deep` along K.
double product_of(std::size_t i, int turns, int deep = depth) {
  double sum = 0;
  for (int k = 0; k < turns * deep; ++k)
    sum += x_at(i / rows * depth * most + k) * y_at(i % rows * depth * most + k);
  return sum;
}

template <class T> void check_near_end(const char *name, const __half *x, const __half *y, T last) {
  run::array<float> out(rows * rows);
  for (int turns : {0, 1, 4}) {
    const T first = T(last - 4 * depth - 20), end = T(first + turns * depth);
    near_end<T><<<1, 1>>>(x, y, out, first, end);
    run::expect(name, out, [&](auto i) { return product_of(i, turns); });
    stepped<T><<<1, 1>>>(x, y, out, first, end, T(depth));
    run::expect(name, out, [&](auto i) { return product_of(i, turns); });
  }
}

int main() {
  run::array<__half> x(rows * depth * most, x_at), y(rows * depth * most, y_at);
  check_near_end<int>("int", x, y, INT_MAX);
  check_near_end<unsigned>("unsigned", x, y, UINT_MAX);
  check_near_end<short>("short", x, y, SHRT_MAX);
  check_near_end<long long>("long long", x, y, LLONG_MAX);
  check_near_end<unsigned long long>("unsigned long long", x, y, ULLONG_MAX);
  run::array<float> out(rows * rows), both(2 * rows * rows);
  downwards<unsigned><<<1, 1>>>(x, y, out, 3, 10, -1);
  run::expect("downwards", out, [&](auto i) { return product_of(i, 4); });
  downwards<int><<<1, 1>>>(x, y, out, 0, 0, -1);
  run::expect("downwards from the end", out, [&](auto i) { return product_of(i, 0); });
  downwards<int><<<1, 1>>>(x, y, out, 0, 5, 2);
  run::expect("upwards", out, [&](auto i) { return product_of(i, 3); });
  for (int n : {0, 1, 2, 4}) {
    moving<<<1, 1>>>(x, y, out, n);
    run::expect("moving", out, [&](auto i) { return product_of(i, n, 2 * depth); });
  }
  for (int by : {0, 3}) {
    divided<<<1, 1>>>(x, y, out, by, by);
    run::expect("divided", out, [&](auto i) {
      double sum = 0;
      for (int k = 0; k < by * depth; ++k)
        sum += x_at(i / rows * depth * most + k % depth) * y_at(i % rows * depth * most + k);
      return sum;
    });
  }
  for (int n : {0, 1, 8}) {
    after_another<<<1, 1>>>(x, y, both, n, true);
    run::expect("after another", both, [&](auto i) {
      const std::size_t of = i % (rows * rows);
      return product_of(i < rows * rows ? of : of % rows * rows + of / rows, n);
    });
  }
  return run::finish();
}
