// Products that a loop adds to what it carries: as they are, rescaled, two in an iteration, beside
// another use, to a tile from memory; by integers, too. Numbers are small, so that sums are exact.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using half = __half;

constexpr int rows = 64, columns = 64, depth = 64;

enum class form { added, rescaled, fused, two, used, residual, alternating };

/// c: [rows, columns]. a: [rows, steps * depth], b: [steps * depth, columns], r: as c.
template <form Form, class T, class Sum>
__tile_global__ void products(const T *__restrict__ a, const T *__restrict__ b,
                              const Sum *__restrict__ r, Sum *__restrict__ c, int steps) {
  using tile = ct::tile<Sum, ct::shape<rows, columns>>;
  auto tiles = [](auto *p, int m, int n, auto shape) {
    return ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(p), ct::extents{m, n}}, shape};
  };
  auto as = tiles(a, rows, steps * depth, ct::shape<rows, depth>{});
  auto bs = tiles(b, steps * depth, columns, ct::shape<depth, columns>{});
  auto residual = tiles(r, rows, columns, ct::shape<rows, columns>{}).load_masked(0, 0);
  auto sum = ct::full<tile>(3), other = ct::zeros<tile>();
  for (auto i : ct::irange(0, steps)) {
    auto x = as.load_masked(0, i);
    auto y = bs.load_masked(i, 0);
    auto p = ct::mma(x, y, ct::zeros<tile>());
    if constexpr (Form == form::added)
      sum = sum + p;
    else if constexpr (Form == form::rescaled)
      sum = residual * sum + p;
    else if constexpr (Form == form::fused)
      sum = ct::fma(residual, sum, p);
    else if constexpr (Form == form::two)
      sum = (sum + p) + ct::mma(y, x, ct::zeros<tile>());
    else if constexpr (Form == form::used)
      sum = sum + p, other = other + p * residual;
    else if constexpr (Form == form::residual)
      sum = residual + p;
    else
      sum = other + p, other = sum - residual;
  }
  tiles(c, rows, columns, ct::shape<rows, columns>{}).store_masked(sum + other, 0, 0);
}

template <form Form, class T, class Sum> void check(int steps) {
  auto number = [](int from, int to) {
    return [=](auto i) { return int(i * 7919 % 613) % (to - from + 1) + from; };
  };
  const int k = steps * depth;
  run::array<T> a(rows * k, number(-1, 1)), b(k * columns, number(-1, 2));
  run::array<Sum> r(rows * columns, number(-1, 1)), c(rows * columns, number(7, 7));
  products<Form><<<1, 1>>>(static_cast<const T *>(a), static_cast<const T *>(b),
                           static_cast<const Sum *>(r), static_cast<Sum *>(c), steps);
  auto product = [&](int step, int i, int j, bool isSwapped) {
    double sum = 0;
    for (int e = 0; e < depth; ++e)
      sum += isSwapped ? b[(step * depth + i) * columns + e] * a[e * k + step * depth + j]
                       : a[i * k + step * depth + e] * b[(step * depth + e) * columns + j];
    return sum;
  };
  run::expect("sums", c, [&](std::size_t element) {
    const int i = int(element) / columns, j = int(element) % columns;
    double sum = 3, other = 0;
    for (int step = 0; step < steps; ++step) {
      const double p = product(step, i, j, false), residual = r[element];
      if (Form == form::added)
        sum += p;
      else if (Form == form::rescaled || Form == form::fused)
        sum = residual * sum + p;
      else if (Form == form::two)
        sum += p + product(step, i, j, true);
      else if (Form == form::used)
        sum += p, other += p * residual;
      else if (Form == form::residual)
        sum = residual + p;
      else
        sum = other + p, other = sum - residual;
    }
    return sum + other;
  });
}

template <form Form> void check() {
  check<Form, half, float>(3);
  check<Form, signed char, int>(2);
}

int main() {
  check<form::added>();
  check<form::rescaled>();
  check<form::fused, half, float>(3);
  check<form::two>();
  check<form::used>();
  check<form::residual>();
  check<form::alternating>();
  return run::finish();
}
