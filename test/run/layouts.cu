// Spans with row-major, column-major and strided layouts; extents that are static, dynamic and
// mixed; ranks 1 to 4.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void left_to_right(const int *x, int *y, int rows, int columns) {
  auto in = ct::partition_view{ct::tensor_span{x, ct::extents{rows, columns}, ct::layout_left{}},
                               ct::shape<8, 8>{}};
  auto out = ct::partition_view{ct::tensor_span{y, ct::extents{rows, columns}, ct::layout_right{}},
                                ct::shape<8, 8>{}};
  int row = ct::bid().y, column = ct::bid().x;
  out.store_masked(in.load_masked(row, column), row, column);
}

// Every second column of a matrix with a pitch.
__tile_global__ void strided(const int *x, int *y, int rows, int columns, int pitch) {
  ct::layout_strided_mapping mapping{ct::extents{rows, columns},
                                     ct::extents{pitch, ct::integral_constant<2>{}}};
  auto in = ct::partition_view{ct::tensor_span{x, mapping}, ct::shape<4, 8>{}};
  auto out = ct::partition_view{ct::tensor_span{y, ct::extents{rows, columns}}, ct::shape<4, 8>{}};
  out.store_masked(in.load_masked(ct::bid().y, ct::bid().x), ct::bid().y, ct::bid().x);
}

__tile_global__ void four_dimensions(const int *x, int *y, int n) {
  auto extents = ct::extents<int, ct::dynamic_extent, 4, ct::dynamic_extent, 8>{n, 2};
  auto in = ct::partition_view{ct::tensor_span{x, extents}, ct::shape<1, 4, 2, 8>{}};
  auto out = ct::partition_view{ct::tensor_span{y, extents}, ct::shape<1, 4, 2, 8>{}};
  for (auto i : ct::irange(0, n))
    out.store(in.load(i, 0, 0, 0) + i, i, 0, 0, 0);
}

int main() {
  constexpr int rows = 11, columns = 19;
  run::array<int> x(1000, [](auto i) { return i; }), y(rows * columns), z(rows * 9), w(3 * 64);
  left_to_right<<<dim3(3, 2), 1>>>(x, y, rows, columns);
  run::expect("left_to_right", y, [](auto i) { return i % columns * rows + i / columns; });
  strided<<<dim3(2, 3), 1>>>(x, z, rows, 9, 40);
  run::expect("strided", z, [](auto i) { return i / 9 * 40 + i % 9 * 2; });
  four_dimensions<<<1, 1>>>(x, w, 3);
  run::expect("four_dimensions", w, [](auto i) { return i + i / 64; });
  return run::finish();
}
