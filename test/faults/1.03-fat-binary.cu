// Several architectures: the host took the first one's shared memory for all (sm_80 and sm_90a).
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

template <class T, int R, int C> __tile__ auto parts(T *p, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}}, ct::shape<R, C>{}};
}

__tile_global__ void product(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, int depth) {
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 64>>>();
  auto left = parts<const __nv_bfloat16, 128, 64>(a, 128, depth);
  auto right = parts<const __nv_bfloat16, 64, 64>(b, depth, 64);
  for (auto k : ct::irange(0, depth / 64))
    sum = ct::mma(left.load(0, k), right.load(k, 0), sum);
  parts<float, 128, 64>(c, 128, 64).store(sum, 0, 0);
}

int main() {
  const int depth = 512;
  run::array<__nv_bfloat16> a(128 * depth, [](auto i) { return run::small(i); }),
      b(depth * 64, [](auto i) { return run::small(i + 5); });
  run::array<float> c(128 * 64);
  product<<<1, 1>>>(a, b, c, depth);
  run::expect("product", c, [&](auto i) {
    double sum = 0;
    for (int k = 0; k < depth; ++k)
      sum += a[i / 64 * depth + k] * b[k * 64 + i % 64];
    return sum;
  });
  return run::finish();
}
