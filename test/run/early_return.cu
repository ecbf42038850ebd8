// A kernel, a helper and a loop may return early, under a condition that only run time knows.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<32>>;

__tile__ row scaled(row x, int how) {
  if (how == 0)
    return x;
  if (how == 1)
    return x * 2.0f;
  return x * x;
}

__tile_global__ void skip_odd_blocks(const float *x, float *y) {
  int block = ct::bid().x;
  if (block % 2)
    return;
  auto offsets = ct::iota<ct::tile<int, ct::shape<32>>>() + block * 32;
  ct::store(y + offsets, scaled(ct::load(x + offsets), block % 3));
}

__tile_global__ void first_row_above(const float *x, int *found, int rows, float bound) {
  auto rows_of_x = ct::partition_view{
      ct::tensor_span{x, ct::extents{rows, ct::integral_constant<32>{}}}, ct::shape<1, 32>{}};
  for (int i = 0; i < rows; ++i) {
    float largest = static_cast<float>(ct::reduce_max<1>(rows_of_x.load(i, 0)));
    if (largest > bound) {
      found[0] = i;
      return;
    }
  }
  found[0] = -1;
}

int main() {
  run::array<float> x(8 * 32, [](auto i) { return run::small(i); }), y(8 * 32);
  skip_odd_blocks<<<8, 1>>>(x, y);
  run::expect("skip_odd_blocks", y, [&](auto i) {
    int block = int(i / 32);
    return block % 2 ? 0 : block % 3 == 0 ? x[i] : block % 3 == 1 ? 2 * x[i] : x[i] * x[i];
  });

  run::array<float> steps(16 * 32, [](auto i) { return double(i / 32); });
  run::array<int> found(1), none(1);
  first_row_above<<<1, 1>>>(steps, found, 16, 6.5f);
  first_row_above<<<1, 1>>>(steps, none, 16, 99.0f);
  run::expect("found", found, [](auto) { return 7; });
  run::expect("none", none, [](auto) { return -1; });
  return run::finish();
}
