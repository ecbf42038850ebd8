#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void square(const float *x, float *y) {
  auto view = [=](auto *p) {
    return ct::partition_view{ct::tensor_span{p, ct::extents{64, 64}}, ct::shape<64, 64>{}};
  };
  auto a = view(x).load(0, 0);
  view(y).store(ct::mma(/* cast */ (a), /* cast */ (a), ct::zeros<decltype(a)>()), 0, 0);
}
