// Products of two batches of small numbers, as programs about blocks and tiles check them: the
// operands, a launch, and what each element is to be.
#pragma once

#include "run.h"

#include <algorithm>
#include <array>
#include <cuda_bf16.h>
#include <map>

using bf16 = __nv_bfloat16;

struct sizes {
  int m, n, k;
};

/// Exact sums of small numbers, by the definition, on the host.
struct operands {
  sizes s;
  static constexpr int batches = 2;
  run::array<bf16> a, b;
  run::array<float> c;

  explicit operands(sizes s)
      : s(s), a(batches * s.m * s.k, run::small), b(batches * s.k * s.n, element_of_b),
        c(batches * s.m * s.n, before), known(products_of(s)) {
    for (std::size_t i = 0; i < a.size; ++i)
      rows.push_back(a[i]);
    for (int batch = 0; batch < batches; ++batch)
      for (int column = 0; column < s.n; ++column)
        for (int i = 0; i < s.k; ++i)
          columns.push_back(b[std::size_t(batch * s.k + i) * s.n + column]);
  }
  static double element_of_b(std::size_t i) { return run::small(i + 99); }
  static double before(std::size_t i) { return double(i % 5); }

  double product(int batch, int row, int column) const {
    if (column < 0 || column >= s.n)
      return 0;
    double &sum = known[std::size_t(batch * s.m + row) * s.n + column];
    if (std::isnan(sum))
      sum = product_of(batch, row, column, 0, s.k);
    return sum;
  }
  double product(int batch, int row, int column, int depth) const {
    return product_of(batch, row, column, 0, depth);
  }

  /// Over the depths from `first` up to `last`.
  double product_of(int batch, int row, int column, int first, int last) const {
    double sum = 0;
    if (column < 0 || column >= s.n)
      return sum;
    const double *x = rows.data() + std::size_t(batch * s.m + row) * s.k;
    const double *y = columns.data() + std::size_t(batch * s.n + column) * s.k;
    int i = first;
    const int end = std::min(last, s.k);
    for (; i + 8 <= end; i += 8) // without optimization the loop takes longer than the products
      sum += x[i] * y[i] + x[i + 1] * y[i + 1] + x[i + 2] * y[i + 2] + x[i + 3] * y[i + 3] +
             x[i + 4] * y[i + 4] + x[i + 5] * y[i + 5] + x[i + 6] * y[i + 6] + x[i + 7] * y[i + 7];
    for (; i < end; ++i)
      sum += x[i] * y[i];
    return sum;
  }

private:
  // The operands as numbers, depth innermost: conversions take most of the time without
  // optimization.
  std::vector<double> rows, columns;
  // Operands of the same sizes are the same: each of their products is summed once in a program.
  std::vector<double> &known;
  static std::vector<double> &products_of(sizes s) {
    static std::map<std::array<int, 3>, std::vector<double>> of_sizes;
    return of_sizes.try_emplace({s.m, s.n, s.k}, std::size_t(batches) * s.m * s.n, std::nan(""))
        .first->second;
  }
};

/// `wanted(o, batch, row, column, before)` is what an element is after the launch.
template <class Kernel, class Wanted, class... More>
void check(const char *name, Kernel kernel, dim3 grid, sizes s, Wanted wanted, More... more) {
  operands o(s);
  kernel<<<grid, 1>>>(o.a, o.b, o.c, s.m, s.n, s.k, more...);
  run::expect(name, o.c, [&](std::size_t i) {
    const std::size_t row = i / s.n;
    return wanted(o, int(row / s.m), int(row % s.m), int(i % s.n), operands::before(i));
  });
}
