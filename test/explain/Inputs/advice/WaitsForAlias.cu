#include <cuda_tile.h>
namespace ct = cuda::tiles;
template <class T> __tile__ auto tiles(T *p, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}}, ct::shape<64, 64>{}};
}
__tile_global__ void product(const __half *a, const __half *b, float *c, int *done, int n) {
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  const int x = ct::bid().x, y = ct::bid().y;
  for (int i = 0; i < n / 64; ++i) {
    sum = ct::mma(tiles(a, n, n).load_masked(y, i), tiles(b, n, n).load_masked(i, x), sum);
    done[i] = 1;
  }
  tiles(c, n, n).store_masked(sum, y, x);
}
