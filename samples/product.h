// What the samples about matrix products share: how a product is held against its definition.
#pragma once
#include "sample.h"

namespace sample {

/// Ends the program unless the elements of `c`, `rows` x `columns`, are near `wanted(row, column)`,
/// a double: all of them where there are few, else as many as take a second or so. `depth`: how
/// many products each is a sum of.
template <class T, class Wanted> void expect_product(const std::vector<T> &c, std::size_t rows,
                                                     std::size_t columns, std::size_t depth,
                                                     double relative, Wanted wanted) {
  const double absolute = 0.1 * relative * std::sqrt(double(depth));
  auto expect = [&](std::size_t row, std::size_t column) {
    expect_near(float(c[row * columns + column]), wanted(row, column), relative, absolute, row,
                column);
  };
  if (rows * columns * depth <= 50'000'000) {
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        expect(row, column);
    return;
  }
  random_numbers random(3);
  for (int i = 0; i < 10'000; ++i) {
    const std::size_t row = random.below(rows);
    expect(row, random.below(columns));
  }
}

/// A line of the table that samples/run.sh prints.
inline void report_product(const char *name, unsigned m, unsigned n, unsigned k, double operations,
                           double microseconds) {
  std::printf("%s %ux%ux%u: %.1f us, %.3f TFLOP/s\n", name, m, n, k, microseconds,
              giga_per_second(operations, microseconds) * 1e-3);
}

inline unsigned ceil_div(unsigned a, unsigned b) { return (a + b - 1) / b; }

} // namespace sample
