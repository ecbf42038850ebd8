// What the samples about rows share: a view whose tiles are whole rows, the launch of the narrowest
// instance of a kernel that holds a row, and how a row is held against its definition.
#pragma once
#include "sample.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

/// The widest tile that these samples hold a row in.
constexpr int widest_row = 16384;

/// The matrix at `p`, aligned to 16 bytes, a row a tile.
template <int Width, class T> __tile__ auto rows_of(T *p, unsigned rows, unsigned columns) {
  return ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(p), ct::extents{rows, columns}},
                            ct::shape<1, Width>{}};
}

/// The vector at `p`, aligned to 16 bytes, as floats in a tile of one row.
template <int Width, class T> __tile__ auto load_row(T *p, unsigned columns) {
  return ct::element_cast<float>(rows_of<Width>(p, 1, columns).load_masked(0, 0));
}

namespace sample {

/// Calls `launch.operator()<Divisor>()`. Divisor: what the number of columns is known to be a
/// multiple of, Wanted or 1; 8 elements of bf16 have 16 bytes.
template <int Wanted = 8, class Launch> void launch_by_divisor(unsigned columns, Launch launch) {
  if (columns % Wanted == 0)
    launch.template operator()<Wanted>();
  else
    launch.template operator()<1>();
}

/// Calls `launch.operator()<Width, Divisor>()`. Width: the narrowest power of two from Narrowest to
/// Widest that holds a row.
template <int Narrowest = 256, int Widest = widest_row, int Wanted = 8, class Launch>
void launch_by_width(unsigned columns, Launch launch) {
  if constexpr (Narrowest < Widest)
    if (columns > Narrowest)
      return launch_by_width<2 * Narrowest, Widest, Wanted>(columns, launch);
  launch_by_divisor<Wanted>(
      columns, [&]<int Divisor>() { launch.template operator()<Narrowest, Divisor>(); });
}

/// The number of columns in argument `position`: `name` holds a row in one tile.
inline unsigned columns_argument(const char *name, int argc, char **argv, int position,
                                 unsigned fallback) {
  const unsigned columns = size_argument(argc, argv, position, fallback);
  if (columns <= unsigned(widest_row))
    return columns;
  std::fprintf(stderr, "error: %s holds a row in one tile: at most %d columns\n", name, widest_row);
  std::exit(1);
}

/// The sum of `term(i)`, a double, for i below `count`.
template <class Term> double sum_of(std::size_t count, Term term) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    sum += term(i);
  return sum;
}

/// Ends the program unless the elements of a row are near `wanted(column)`, a double.
template <class T, class Wanted> void expect_row(const T *got, std::size_t row, unsigned columns,
                                                 double relative, double absolute, Wanted wanted) {
  for (unsigned column = 0; column < columns; ++column)
    expect_near(float(got[column]), wanted(column), relative, absolute, row, column);
}

/// A line of the table that samples/run.sh prints.
inline void report_rows(const char *name, std::size_t rows, std::size_t columns, double bytes,
                        double microseconds) {
  std::printf("%s %zux%zu: %.1f us, %.1f GB/s\n", name, rows, columns, microseconds,
              giga_per_second(bytes, microseconds));
}

} // namespace sample
