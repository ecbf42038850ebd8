// What loops copy ahead for their multiplies: factors that several multiplies share; places that
// are divided, carried along or moved by pointers; in loops that do not run, whose divisors are 0
// then.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int rows = 64, depth = 32;
using product = ct::tile<float, ct::shape<rows, rows>>;

template <int Rows, int Columns, class T> __tile__ auto tiles_of(T *p, int height, int width) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{height, width}},
                            ct::shape<Rows, Columns>{}};
}

// Two products of one factor, a chain of two with it, and its square.
__tile_global__ void shared(const __half *x, const __half *y, const __half *z, float *out, int n) {
  auto xs = tiles_of<rows, depth>(x, rows, depth * n);
  auto ys = tiles_of<depth, rows>(y, depth * n, rows),
       zs = tiles_of<depth, rows>(z, depth * n, rows);
  auto first = ct::zeros<product>(), second = first, both = first, square = first;
  for (int i = 0; i < n; ++i) {
    auto a = xs.load_masked(0, i);
    auto b = ys.load_masked(i, 0), c = zs.load_masked(i, 0);
    first = ct::mma(a, b, first);
    second = ct::mma(a, c, second);
  }
  for (int i = 0; i < n; ++i) {
    auto a = xs.load_masked(0, i);
    both = ct::mma(a, ys.load_masked(i, 0), both);
    both = ct::mma(a, zs.load_masked(i, 0), both);
  }
  for (int i = 0; i < n; ++i) {
    auto a = xs.load_masked(0, i);
    square = ct::mma(a, ct::transpose(a), square);
  }
  auto outs = tiles_of<rows, rows>(out, 4 * rows, rows);
  outs.store_masked(first, 0, 0);
  outs.store_masked(second, 1, 0);
  outs.store_masked(both, 2, 0);
  outs.store_masked(square, 3, 0);
}

// What is multiplied is changed between two multiplies that take it: the factor is the old one.
__tile_global__ void changed(__half *x, const __half *y, float *out, int n) {
  auto xs = tiles_of<rows, depth>(x, rows, depth);
  auto ys = tiles_of<depth, rows>(y, depth * n, rows);
  auto sum = ct::zeros<product>();
  for (int i = 0; i < n; ++i) {
    auto a = xs.load_masked(0, 0);
    sum = ct::mma(a, ys.load_masked(i, 0), sum);
    xs.store_masked(a + __half(1.0f), 0, 0);
    sum = ct::mma(a, ys.load_masked(i, 0), sum);
  }
  tiles_of<rows, rows>(out, rows, rows).store_masked(sum, 0, 0);
}

// The tiles of c one after the other; where there are no columns, nothing is divided.
__tile_global__ void persistent(const __half *x, const __half *y, float *c, int m, int n, int k,
                                int tiles) {
  auto xs = tiles_of<rows, depth>(x, m, k);
  auto ys = tiles_of<depth, rows>(y, k, n);
  auto cs = tiles_of<rows, rows>(c, m, n);
  const int columns = n / rows;
  for (int tile = ct::bid().x; tile < tiles; tile += ct::num_blocks().x) {
    auto sum = ct::zeros<product>();
    for (int i = 0; i < k / depth; ++i)
      sum = ct::mma(xs.load_masked(tile / columns, i), ys.load_masked(i, tile % columns), sum);
    if (k > 0)
      cs.store_masked(sum, tile / columns, tile % columns);
  }
}

// Tile i of x is at (i / wide, i % wide): where there is no iteration nothing is divided.
__tile_global__ void walked(const __half *x, const __half *y, float *out, int n, int wide) {
  auto xs = tiles_of<rows, depth>(x, 2 * rows, 2 * depth);
  auto ys = tiles_of<depth, rows>(y, depth * 4, rows);
  auto sum = ct::zeros<product>();
  for (int i = 0; i < n; ++i)
    sum = ct::mma(xs.load_masked(i / wide, i % wide), ys.load_masked(i, 0), sum);
  tiles_of<rows, rows>(out, rows, rows).store_masked(sum, 0, 0);
}

// Pointers and numbers that move with the loop, forwards and backwards; what is seen of them after
// it.
__tile_global__ void moved(const __half *x, const __half *y, float *out, int *seen, int n) {
  auto sum = ct::zeros<product>();
  const __half *p = x;
  int column = 0, row = n - 1;
  for (int i = 0; i < n; ++i) {
    auto a = tiles_of<rows, depth>(p, rows, depth).load_masked(0, 0);
    auto b = tiles_of<depth, rows>(y, depth * n, rows).load_masked(row, 0);
    auto c = tiles_of<rows, depth>(x, rows, depth * n).load_masked(0, column);
    sum = ct::mma(a, b, sum);
    sum = ct::mma(c, b, sum);
    p += rows * depth;
    column += 1;
    row -= 1;
  }
  tiles_of<rows, rows>(out, rows, rows).store_masked(sum, 0, 0);
  ct::store(seen, int(p - x));
  ct::store(seen + 1, column * 100 + row);
}

// Two sums that fill the registers of two warpgroups and stay in flight; read after the loop only.
__tile_global__ void large(const __nv_bfloat16 *x, const __nv_bfloat16 *y, float *out, int n) {
  auto xs = tiles_of<128, 64>(x, 128, 64 * n);
  auto ys = tiles_of<64, 128>(y, 64 * n, 256);
  auto gate = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  auto up = ct::full<ct::tile<float, ct::shape<128, 128>>>(2.0f);
  for (int i = 0; i < n; ++i) {
    auto a = xs.load_masked(0, i);
    gate = ct::mma(a, ys.load_masked(i, 0), gate);
    up = ct::mma(a, ys.load_masked(i, 1), up);
  }
  tiles_of<128, 128>(out, 128, 128).store_masked(gate * 0.5f + up, 0, 0);
}

double x_at(std::size_t i) { return run::small(i); }
double y_at(std::size_t i) { return run::small(i + 5); }
double z_at(std::size_t i) { return run::small(i * 3 + 1); }

// Of a's rows of `a_width` from (row, k) and b's of `b_width` from (k, column).
template <class A, class B>
double dot(A a, std::size_t row, int a_width, B b, std::size_t column, int b_width, int k) {
  double sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a(row * a_width + i) * b(std::size_t(i) * b_width + column);
  return sum;
}

int main() {
  constexpr int most = 4, area = rows * rows;
  run::array<__half> x(rows * depth * most, x_at), y(rows * depth * most, y_at),
      z(rows * depth * most, z_at);
  run::array<float> out(4 * area), one(area);
  run::array<int> seen(2);
  for (int n : {0, 1, 2, 4}) {
    shared<<<1, 1>>>(x, y, z, out, n);
    const int k = depth * n;
    run::expect("shared", out, [&](auto i) {
      const std::size_t part = i / area, row = i / rows % rows, column = i % rows;
      const double first = dot(x_at, row, k, y_at, column, rows, k),
                   second = dot(x_at, row, k, z_at, column, rows, k);
      auto turned = [&](auto at) { return x_at(at % rows * k + at / rows); };
      return part == 0   ? first
             : part == 1 ? second
             : part == 2 ? first + second
                         : dot(x_at, row, k, turned, column, rows, k);
    });
    run::array<__half> own(rows * depth, x_at);
    changed<<<1, 1>>>(own, y, one, n);
    run::expect("changed", one, [&](auto i) {
      double sum = 0;
      for (int turn = 0; turn < n; ++turn)
        sum +=
            2 * dot([&](auto at) { return x_at(at) + turn; }, i / rows, depth,
                    [&](auto at) { return y_at(at + turn * depth * rows); }, i % rows, rows, depth);
      return sum;
    });
    for (int wide : {1, 2}) {
      if (n / wide > 2)
        continue;
      walked<<<1, 1>>>(x, y, one, n, wide);
      run::expect("walked", one, [&](auto i) {
        double sum = 0;
        for (int turn = 0; turn < n; ++turn)
          for (int e = 0; e < depth; ++e)
            sum += x_at((turn / wide * rows + i / rows) * 2 * depth + turn % wide * depth + e) *
                   y_at((turn * depth + e) * rows + i % rows);
        return sum;
      });
    }
    moved<<<1, 1>>>(x, y, one, seen, n);
    run::expect("moved", one, [&](auto i) {
      double sum = 0;
      for (int turn = 0; turn < n; ++turn)
        for (int e = 0; e < depth; ++e) {
          const double b = y_at(((n - 1 - turn) * depth + e) * rows + i % rows);
          sum += b * (x_at(turn * rows * depth + i / rows * depth + e) +
                      x_at(i / rows * depth * n + turn * depth + e));
        }
      return sum;
    });
    run::expect("seen", seen, [&](auto i) { return i ? n * 100 - 1 : n * rows * depth; });
  }
  for (int n : {0, 1, 3, 6}) {
    run::array<__nv_bfloat16> a(128 * 64 * n + 1, x_at), b(64 * n * 256 + 1, y_at);
    run::array<float> c(128 * 128);
    large<<<1, 1>>>(a, b, c, n);
    run::expect("large", c, [&](auto i) {
      return 2 + dot(x_at, i / 128, 64 * n, y_at, i % 128, 256, 64 * n) / 2 +
             dot(x_at, i / 128, 64 * n, y_at, i % 128 + 128, 256, 64 * n);
    });
  }
  walked<<<1, 1>>>(x, y, one, 0, 0);
  run::expect("nothing walked", one, [](auto) { return 0; });

  for (int k : {0, 1, 3}) {
    const int m = 2 * rows, n = 2 * rows, deep = k * depth;
    run::array<__half> a(m * 3 * depth, x_at), b(3 * depth * n, y_at);
    run::array<float> c(m * n);
    persistent<<<3, 1>>>(a, b, c, m, n, deep, 4);
    if (k)
      run::expect("persistent", c,
                  [&](auto i) { return dot(x_at, i / n, deep, y_at, i % n, n, deep); });
  }
  persistent<<<3, 1>>>(x, y, one, rows, 0, 0, 4); // no columns, no depth
  return run::finish();
}
