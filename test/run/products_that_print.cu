// Products in kernels that call printf, whose multiplies do not stay in flight beside it: sums that
// begin with something, loops of no, one and several turns.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int rows = 64, columns = 128, depth = 128;
using sums = ct::tile<int, ct::shape<rows, columns>>;

/// c = i % 4 - 2 + a b, with b along k.
__tile_global__ void product(const signed char *__restrict__ a, const signed char *__restrict__ b,
                             int *__restrict__ c, int k, int says) {
  if (says > 7)
    printf("%d steps\n", k / depth);
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{rows, k}}, ct::shape<rows, depth>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::layout_left_mapping{ct::extents{k, columns}}},
                               ct::shape<depth, columns>{}};
  sums sum = (ct::iota<sums>() & 3) - 2;
  for (int i = k / depth - 1; i >= 0; --i)
    sum = ct::mma(as.load(0, i), bs.load(i, 0), sum);
  ct::partition_view{ct::tensor_span{c, ct::extents{rows, columns}}, ct::shape<rows, columns>{}}
      .store(sum, 0, 0);
}

int element(std::size_t i) { return int(i * 7 % 11) - 5; }

int main() {
  for (int steps : {0, 1, 2, 5}) {
    const int k = steps * depth;
    run::array<signed char> a(rows * k + 16, element), b(columns * k + 16, element);
    run::array<int> c(rows * columns);
    product<<<1, 1>>>(a, b, c, k, steps == 2 ? 8 : 0);
    run::expect("sums", c, [&](int i) {
      int sum = (i & 3) - 2;
      for (int j = 0; j < k; ++j)
        sum += element(i / columns * k + j) * element(i % columns * k + j);
      return sum;
    });
  }
  return run::finish();
}
