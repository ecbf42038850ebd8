// A transposed operand was never pipelined: slow. With an argument: 4096^3, and its time.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

#include <chrono>
template <class T, int R, int C> __tile__ auto parts(T *p, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}}, ct::shape<R, C>{}};
}

__tile_global__ void product(const __nv_bfloat16 *__restrict__ a,
                             const __nv_bfloat16 *__restrict__ b, float *__restrict__ c, int n) {
  a = ct::assume_aligned<16>(a), b = ct::assume_aligned<16>(b), c = ct::assume_aligned<16>(c);
  n = ct::assume_divisible<128>(n);
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  auto left = parts<const __nv_bfloat16, 128, 64>(a, n, n);
  auto right = parts<const __nv_bfloat16, 128, 64>(b, n, n);
  int i = ct::bid().x, j = ct::bid().y;
  for (auto k : ct::irange(0, n / 64))
    sum = ct::mma(left.load(i, k), ct::transpose(right.load(j, k)), sum);
  parts<float, 128, 128>(c, n, n).store(sum, i, j);
}

int main(int count, char **) {
  const int n = count > 1 ? 4096 : 128;
  run::array<__nv_bfloat16> a(n * n, [](auto i) { return run::small(i); }),
      b(n * n, [](auto i) { return run::small(i + 5); });
  run::array<float> c(n * n);
  product<<<dim3(n / 128, n / 128), 1>>>(a, b, c, n);
  if (count > 1) {
    run::require(cudaDeviceSynchronize());
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 20; ++i)
      product<<<dim3(n / 128, n / 128), 1>>>(a, b, c, n);
    run::require(cudaDeviceSynchronize());
    std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::fprintf(stderr, "%.0f TFLOP/s\n", 20 * 2.0 * n * n * n / time.count() / 1e12);
    return 0;
  }
  run::expect("product", c, [&](auto i) {
    double sum = 0;
    for (int k = 0; k < n; ++k)
      sum += a[i / n * n + k] * b[i % n * n + k];
    return sum;
  });
  return run::finish();
}
