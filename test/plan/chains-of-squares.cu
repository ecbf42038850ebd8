// What is computed of a number in many steps, each of which uses the one before twice, is looked at
// once: asked of each use again, one of these kernels was not done in a minute.
// RUN: %tessera %s -o - | grep -v CHECK | FileCheck %s
#include <cuda_bf16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
#define TWICE(X) X X
#define STEPS(X) TWICE(TWICE(TWICE(TWICE(TWICE(X)))))

using bf16 = __nv_bfloat16;

__tile__ auto product(const bf16 *a, const bf16 *b, int m, int n, int k, int row, int column) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<128, 64>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<64, 256>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 256>>>();
  for (int i = 0; i < ct::ceildiv(k, 64); ++i)
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  return sum;
}
__tile__ void store(bf16 *c, int m, int n, ct::tile<float, ct::shape<128, 256>> sum, int row,
                    int column) {
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<128, 256>{}};
  cs.store_masked(ct::element_cast<bf16>(sum), row, column);
}

// Rows, as the launch must know them, and the warp that copies.
// CHECK-LABEL: {{^}}// rows_persistent, from chains-of-squares.cu:
__tile_global__ void rows(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                          bf16 *__restrict__ c, int m, int n, int k, int x) {
  STEPS(x = x * x + x;)
  const int row = ct::bid().y, column = ct::bid().x;
  store(c, m, n, product(a, b, m, n, k + x, row, column), row, column);
}

// Tiles that the program numbers.
// CHECK-LABEL: {{^}}// tiles_persistent, from chains-of-squares.cu:
__tile_global__ void tiles(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           bf16 *__restrict__ c, int m, int n, int k, int columns, int x) {
  STEPS(x = x * x + x;)
  for (int tile = ct::bid().x; tile < x; tile += ct::num_blocks().x)
    store(c, m, n, product(a, b, m, n, k, tile / columns, tile % columns), tile / columns,
          tile % columns);
}
int main() {}
