// Masked view loads fill what lies outside with zero, infinities, NaN or minus zero; masked stores
// leave it alone.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <ct::view_padding Padding>
__tile_global__ void load_padded(const float *x, float *y, int rows, int columns) {
  auto in = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<8, 16>{}};
  auto out = ct::partition_view{ct::tensor_span{y, ct::shape<8, 16>{}}, ct::shape<8, 16>{}};
  out.store(in.template load_masked<Padding>(1, 1), 0, 0);
}

__tile_global__ void store_part(float *y, int rows, int columns) {
  auto out = ct::partition_view{ct::tensor_span{y, ct::extents{rows, columns}}, ct::shape<8, 16>{}};
  int row = ct::bid().y, column = ct::bid().x;
  out.store_masked(ct::full<ct::tile<float, ct::shape<8, 16>>>(float(10 * row + column + 1)), row,
                   column);
}

template <ct::view_padding Padding> void check(const char *name, double padding) {
  constexpr int rows = 13, columns = 21;
  run::array<float> x(rows * columns, [](auto i) { return run::small(i); }), y(8 * 16);
  load_padded<Padding><<<1, 1>>>(x, y, rows, columns);
  run::expect(name, y, [&](auto i) {
    auto row = i / 16 + 8, column = i % 16 + 16;
    return row < rows && column < columns ? x[row * columns + column] : padding;
  });
}

int main() {
  check<ct::view_padding::zero>("zero", 0);
  check<ct::view_padding::negative_zero>("negative_zero", -0.0);
  check<ct::view_padding::positive_inf>("positive_inf", INFINITY);
  check<ct::view_padding::negative_inf>("negative_inf", -INFINITY);
  check<ct::view_padding::nan>("nan", NAN);

  run::array<float> y(13 * 21 + 20);
  store_part<<<dim3(2, 2), 1>>>(y, 13, 21);
  run::expect("store_part", y,
              [](auto i) { return i >= 13 * 21 ? 0 : i / 21 / 8 * 10 + i % 21 / 16 + 1; });
  return run::finish();
}
