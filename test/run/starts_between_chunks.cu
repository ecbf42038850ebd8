// Boxes that begin at any element of a row: bulk copies and stores (TMA) begin at multiples of 16
// bytes, and are illegal instructions elsewhere.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;
constexpr int Rows = 64, Columns = 64, K = 64;

template <class T> __tile__ auto boxes(T *p, int rows, int columns) {
  return ct::strided_view{ct::tensor_span{p, ct::extents{rows, columns}}, ct::shape<64, 64>{},
                          ct::strides{ct::integral_constant<1>{}, ct::integral_constant<1>{}}};
}

// Sum of the products of K columns of a and K rows of b, from `first` on, stored at a place.
__tile_global__ void product(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                             float *__restrict__ c, int k, int columns, int first, int row,
                             int column) {
  auto sum = ct::zeros<ct::tile<float, ct::shape<Rows, Columns>>>();
  for (int i = first; i < k; i += K)
    sum = ct::mma(boxes(a, Rows, k).load_masked(0, i), boxes(b, k, Columns).load_masked(i, 0), sum);
  boxes(c, 2 * Rows, columns).store_masked(sum, row, column);
}

void check(const char *name, int k, int columns, int first, int row, int column) {
  run::array<bf16> a(Rows * k, run::small),
      b(std::size_t(k) * Columns, [](std::size_t i) { return run::small(i + 7); });
  run::array<float> c(2 * Rows * columns, [](std::size_t) { return 5; });
  product<<<1, 1>>>(a, b, c, k, columns, first, row, column);
  run::expect(name, c, [&](std::size_t at) {
    const int i = int(at) / columns - row, j = int(at) % columns - column;
    if (i < 0 || i >= Rows || j < 0 || j >= Columns)
      return 5.0;
    double sum = 0;
    for (int e = first; e < k; ++e)
      sum += a[std::size_t(i) * k + e] * b[std::size_t(e) * Columns + j];
    return sum;
  });
}

int main() {
  check("whole chunks", 256, 128, 64, 0, 64);
  check("within a chunk", 256, 128, 3, 0, 8);
  check("stored within a chunk", 256, 128, 0, 13, 5);
  check("rows that nothing aligns", 251, 131, 5, 9, 66);
  return run::finish();
}
