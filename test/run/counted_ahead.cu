// Loops around multiplies that count in ways of their own, and factors that a loop reads an
// iteration ahead: turns that do not take place, what is seen behind the loop, memory that changes
// between the reading and the multiplying.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int rows = 64, depth = 32, most = 5;
using product = ct::tile<float, ct::shape<rows, rows>>;

enum form {
  left_over,    // while (left > 0) left -= 32
  at_least,     // while (left >= 32) left -= 32
  after_test,   // while (n-- > 0)
  backwards,    // for (i = n - 1; i >= 0; --i)
  do_forwards,  // do ++i; while (i < n)
  do_backwards, // do --n; while (n > 0)
  not_equal,    // unsigned, until they meet
  unsigned_down,
  unsigned_chunks, // while (left >= 32u) left -= 32u
  above,           // unsigned, while (left > 31) left -= 32
  do_unsigned,     // do --n; while (n != 0), from 0 it would wrap
  by_twos,
  forms
};

// The product over the tiles that the form comes to; behind it the counts as they are left.
template <form Form>
__tile_global__ void count(const __half *x, const __half *y, float *out, int *seen, int n) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, depth * most}},
                               ct::shape<rows, depth>{}};
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{depth * most, rows}},
                               ct::shape<depth, rows>{}};
  auto sum = ct::zeros<product>();
  auto add = [&](int i) { sum = ct::mma(xs.load_masked(0, i), ys.load_masked(i, 0), sum); };
  int i = 0, left = n * depth - 7;
  unsigned rest = unsigned(n) * depth;
  if constexpr (Form == left_over)
    while (left > 0) { add(i); ++i; left -= depth; }
  else if constexpr (Form == at_least)
    while (left >= depth) { add(i++); left -= depth; }
  else if constexpr (Form == after_test)
    while (n-- > 0) add(n);
  else if constexpr (Form == backwards)
    for (i = n - 1; i >= 0; --i) add(i);
  else if constexpr (Form == do_forwards)
    do { add(i); ++i; } while (i < n);
  else if constexpr (Form == do_backwards)
    do { add(i++); --n; } while (n > 0);
  else if constexpr (Form == not_equal)
    for (unsigned u = 1; u != unsigned(n) + 1; ++u) add(i++);
  else if constexpr (Form == unsigned_down)
    for (unsigned u = unsigned(n); u > 0; --u) add(i++);
  else if constexpr (Form == unsigned_chunks)
    while (rest >= unsigned(depth)) { add(i++); rest -= depth; }
  else if constexpr (Form == above)
    while (rest > 31u) { add(i++); rest -= depth; }
  else if constexpr (Form == do_unsigned) {
    unsigned u = unsigned(n) + 1;
    do { add(i++); --u; } while (u != 0);
  } else
    for (int j = 2 * n; j != 0; j -= 2) add(i++);
  ct::partition_view{ct::tensor_span{out, ct::shape<rows, rows>{}}, ct::shape<rows, rows>{}}.store(
      sum, 0, 0);
  ct::store(seen, i);
  ct::store(seen + 1, left);
  ct::store(seen + 2, int(rest));
  ct::store(seen + 3, n);
}

struct counts {
  int i, left, rest, n, turns;
};

counts after(form f, int n) {
  int i = 0, left = n * depth - 7;
  const int rest = n * depth, full = n ? (left + (left < 0 ? 0 : 0)) / depth : 0;
  switch (f) {
  case left_over: return {n, left - n * depth, rest, n, n};
  case at_least: return {full, left - full * depth, rest, n, full};
  case after_test: return {i, left, rest, -1, n};
  case backwards: return {-1, left, rest, n, n};
  case do_forwards: return {std::max(n, 1), left, rest, n, std::max(n, 1)};
  case do_backwards: return {std::max(n, 1), left, rest, std::min(n - 1, 0), std::max(n, 1)};
  case unsigned_chunks:
  case above: return {n, left, 0, n, n};
  case do_unsigned: return {n + 1, left, rest, n, n + 1};
  default: return {n, left, rest, n, n};
  }
}

double x_at(std::size_t i) { return run::small(i); }
double y_at(std::size_t i) { return run::small(i + 5); }

// Element i of the product over the first `turns` tiles.
double product_of(std::size_t i, int turns) {
  double sum = 0;
  for (int k = 0; k < turns * depth; ++k)
    sum += x_at(i / rows * depth * most + k) * y_at(std::size_t(k) * rows + i % rows);
  return sum;
}

template <form Form> void check(const __half *x, const __half *y) {
  run::array<float> out(rows * rows);
  run::array<int> seen(4);
  for (int n : {0, 1, 2, 4}) {
    count<Form><<<1, 1>>>(x, y, out, seen, n);
    const counts wanted = after(Form, n);
    run::expect("product", out, [&](auto i) { return product_of(i, wanted.turns); });
    const int numbers[] = {wanted.i, wanted.left, wanted.rest, wanted.n};
    run::expect("counts", seen, [&](auto i) { return numbers[i]; });
  }
  if constexpr (Form + 1 < forms)
    check<form(Form + 1)>(x, y);
}

// Both factors an iteration ahead; the first ones come from elsewhere if `other`.
__tile_global__ void prefetched(const __half *x, const __half *y, float *out, int n, int other) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, depth * most}},
                               ct::shape<rows, depth>{}};
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{depth * most, rows}},
                               ct::shape<depth, rows>{}};
  auto sum = ct::zeros<product>();
  auto a = xs.load_masked(0, other);
  auto b = ys.load_masked(0, 0);
  for (int i = 0; i < n; ++i) {
    auto next_a = xs.load_masked(0, i + 1);
    auto next_b = ys.load_masked(i + 1, 0);
    sum = ct::mma(a, b, sum);
    a = next_a;
    b = next_b;
  }
  ct::partition_view{ct::tensor_span{out, ct::shape<rows, rows>{}}, ct::shape<rows, rows>{}}.store(
      sum, 0, 0);
}

// As it was read, though the loop writes there before it multiplies.
__tile_global__ void overwritten(__half *x, const __half *y, float *out, int n) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, depth}},
                               ct::shape<rows, depth>{}};
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{depth * most, rows}},
                               ct::shape<depth, rows>{}};
  auto sum = ct::zeros<product>();
  auto a = xs.load_masked(0, 0);
  for (int i = 0; i < n; ++i) {
    auto next = xs.load_masked(0, 0);
    xs.store_masked(next + __half(1.0f), 0, 0);
    sum = ct::mma(a, ys.load_masked(i, 0), sum);
    a = next;
  }
  ct::partition_view{ct::tensor_span{out, ct::shape<rows, rows>{}}, ct::shape<rows, rows>{}}.store(
      sum, 0, 0);
}

// Written between the first read and the loop; the last read is seen behind it.
__tile_global__ void around(__half *x, const __half *y, float *out, float *last, int n) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{rows, depth * most}},
                               ct::shape<rows, depth>{}};
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{depth * most, rows}},
                               ct::shape<depth, rows>{}};
  auto sum = ct::zeros<product>();
  auto a = xs.load_masked(0, 0), b = a;
  xs.store_masked(a + __half(1.0f), 0, 0);
  for (int i = 0; i < n; ++i) {
    auto next = xs.load_masked(0, i + 1);
    sum = ct::mma(a, ys.load_masked(i, 0), sum);
    sum = ct::mma(b, ys.load_masked(i, 0), sum);
    a = next;
    b = next;
  }
  ct::partition_view{ct::tensor_span{out, ct::shape<rows, rows>{}}, ct::shape<rows, rows>{}}.store(
      sum, 0, 0);
  ct::partition_view{ct::tensor_span{last, ct::shape<rows, depth>{}}, ct::shape<rows, depth>{}}
      .store(ct::element_cast<float>(b), 0, 0);
}

int main() {
  run::array<__half> x(rows * depth * most, x_at), y(rows * depth * most, y_at);
  check<left_over>(x, y);
  run::array<float> out(rows * rows), last(rows * depth);
  for (int n : {0, 1, 4}) {
    for (int other : {0, 2}) {
      prefetched<<<1, 1>>>(x, y, out, n, other);
      run::expect("prefetched", out, [&](auto i) {
        double sum = product_of(i, n);
        for (int k = 0; n && k < depth; ++k)
          sum += (x_at(i / rows * depth * most + k + other * depth) -
                  x_at(i / rows * depth * most + k)) *
                 y_at(std::size_t(k) * rows + i % rows);
        return sum;
      });
    }
    run::array<__half> own(rows * depth, x_at), whole(rows * depth * most, x_at);
    overwritten<<<1, 1>>>(own, y, out, n);
    run::expect("overwritten", out, [&](auto i) {
      double sum = 0;
      for (int turn = 0; turn < n; ++turn)
        for (int k = 0; k < depth; ++k)
          sum += (x_at(i / rows * depth + k) + std::max(turn - 1, 0)) *
                 y_at(std::size_t(turn * depth + k) * rows + i % rows);
      return sum;
    });
    around<<<1, 1>>>(whole, y, out, last, n);
    run::expect("around", out, [&](auto i) { return 2 * product_of(i, n); });
    run::expect("last", last, [&](auto i) {
      return x_at(i / depth * depth * most + n * depth + i % depth);
    });
  }
  return run::finish();
}
