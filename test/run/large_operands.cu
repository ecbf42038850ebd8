// Multiplies whose factors are more than a block's shared memory holds: read from memory for this
// alone, and computed before.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int rows = 16, depth = 2048, columns = 32;
using sums = ct::tile<float, ct::shape<rows, columns>>;

__tile_global__ void multiply(const float *a, const float *b, float *read, float *computed) {
  auto a_tiles =
      ct::partition_view{ct::tensor_span{a, ct::shape<rows, depth>{}}, ct::shape<rows, depth>{}};
  auto b_tiles = ct::partition_view{ct::tensor_span{b, ct::shape<depth, columns>{}},
                                    ct::shape<depth, columns>{}};
  auto read_tiles = ct::partition_view{ct::tensor_span{read, ct::shape<rows, columns>{}},
                                       ct::shape<rows, columns>{}};
  auto computed_tiles = ct::partition_view{ct::tensor_span{computed, ct::shape<rows, columns>{}},
                                           ct::shape<rows, columns>{}};
  read_tiles.store(ct::mma(a_tiles.load(0, 0), b_tiles.load(0, 0), ct::zeros<sums>()), 0, 0);
  auto twice = a_tiles.load(0, 0) * 2;
  computed_tiles.store(ct::mma(twice, b_tiles.load(0, 0) + 1, ct::full<sums>(3)), 0, 0);
}

int main() {
  run::array<float> a(rows * depth, [](auto i) { return run::small(i); }),
      b(depth * columns, [](auto i) { return run::small(i + 5); });
  run::array<float> read(rows * columns), computed(rows * columns);
  multiply<<<1, 1>>>(a, b, read, computed);
  auto product = [&](auto i, double scale, double shift, double start) {
    for (int k = 0; k < depth; ++k)
      start += scale * a[i / columns * depth + k] * (b[k * columns + i % columns] + shift);
    return start;
  };
  run::expect("read", read, [&](auto i) { return product(i, 1, 0, 0); });
  run::expect("computed", computed, [&](auto i) { return product(i, 2, 1, 3); });
  return run::finish();
}
