// mma and matmul for each pair of operand and accumulator types, in shapes larger and smaller than
// the hardware's.
#include "run.h"
#include <cuda_tile.h>
#if __has_include(<cuda_tf32.h>)
#include <cuda_tf32.h>
#endif
namespace ct = cuda::tiles;

template <class T, class Acc, int M, int N, int K>
__tile_global__ void multiply(const T *a, const T *b, Acc *c) {
  auto left = ct::partition_view{ct::tensor_span{a, ct::shape<M, K>{}}, ct::shape<M, K>{}};
  auto right = ct::partition_view{ct::tensor_span{b, ct::shape<K, N>{}}, ct::shape<K, N>{}};
  auto out = ct::partition_view{ct::tensor_span{c, ct::shape<M, N>{}}, ct::shape<M, N>{}};
  out.store(ct::mma(left.load(0, 0), right.load(0, 0), ct::ones<ct::tile<Acc, ct::shape<M, N>>>()),
            0, 0);
}

// B comes as N x K in memory.
template <class T, class Acc, int M, int N, int K>
__tile_global__ void multiply_transposed(const T *a, const T *b, Acc *c) {
  auto left = ct::partition_view{ct::tensor_span{a, ct::shape<M, K>{}}, ct::shape<M, K>{}};
  auto right = ct::partition_view{ct::tensor_span{b, ct::shape<N, K>{}}, ct::shape<N, K>{}};
  auto out = ct::partition_view{ct::tensor_span{c, ct::shape<M, N>{}}, ct::shape<M, N>{}};
  out.store(ct::mma(left.load(0, 0), ct::transpose(right.load(0, 0)),
                    ct::ones<ct::tile<Acc, ct::shape<M, N>>>()),
            0, 0);
}

template <class T, int M, int N, int K>
__tile_global__ void product(const T *a, const T *b, float *c) {
  auto left = ct::partition_view{ct::tensor_span{a, ct::shape<M, K>{}}, ct::shape<M, K>{}};
  auto right = ct::partition_view{ct::tensor_span{b, ct::shape<K, N>{}}, ct::shape<K, N>{}};
  auto out = ct::partition_view{ct::tensor_span{c, ct::shape<M, N>{}}, ct::shape<M, N>{}};
  out.store(ct::element_cast<float>(ct::matmul(left.load(0, 0), right.load(0, 0))), 0, 0);
}

#if __has_include(<cuda_tf32.h>)
template <int M, int N, int K>
__tile_global__ void multiply_tf32(const float *a, const float *b, float *c) {
  auto left = ct::partition_view{ct::tensor_span{a, ct::shape<M, K>{}}, ct::shape<M, K>{}};
  auto right = ct::partition_view{ct::tensor_span{b, ct::shape<K, N>{}}, ct::shape<K, N>{}};
  auto out = ct::partition_view{ct::tensor_span{c, ct::shape<M, N>{}}, ct::shape<M, N>{}};
  auto x = ct::element_cast<__nv_tf32>(left.load(0, 0));
  auto y = ct::element_cast<__nv_tf32>(right.load(0, 0));
  out.store(ct::mma(x, y, ct::ones<ct::tile<float, ct::shape<M, N>>>()), 0, 0);
}
#endif

// Small whole numbers and eighths: every product and sum is exact in every type.
template <class T> double element(std::size_t i) {
  return std::is_integral_v<T> ? double(int(i * 11 % 15) - 7) : run::small(i);
}

template <class T, class Acc, class Launch>
void check(const char *name, int m, int n, int k, bool transposed, double add, Launch launch) {
  run::array<T> a(m * k, element<T>), b(k * n, [](auto i) { return element<T>(i + 5); });
  run::array<Acc> c(m * n);
  launch(a, b, c);
  run::expect(name, c, [&](auto i) {
    double sum = add;
    for (int j = 0; j < k; ++j)
      sum += a[i / n * k + j] * (transposed ? b[i % n * k + j] : b[j * n + i % n]);
    return sum;
  });
}

template <class T, class Acc, int M, int N, int K> void both(const char *name) {
  check<T, Acc>(name, M, N, K, false, 1,
                [](T *a, T *b, Acc *c) { multiply<T, Acc, M, N, K><<<1, 1>>>(a, b, c); });
  check<T, Acc>(name, M, N, K, true, 1, [](T *a, T *b, Acc *c) {
    multiply_transposed<T, Acc, M, N, K><<<1, 1>>>(a, b, c);
  });
}

int main() {
  both<__half, float, 64, 64, 32>("f16 to f32, 64x64x32");
  both<__half, __half, 32, 32, 16>("f16 to f16, 32x32x16");
  both<__half, float, 16, 8, 16>("f16 to f32, 16x8x16");
  both<__half, float, 8, 4, 8>("f16 to f32, 8x4x8");
  both<__nv_bfloat16, float, 64, 32, 64>("bf16 to f32, 64x32x64");
  both<float, float, 32, 32, 16>("f32, 32x32x16");
  both<double, double, 16, 16, 16>("f64, 16x16x16");
  both<signed char, int, 32, 32, 32>("s8 to s32, 32x32x32");
  check<__half, float>("matmul f16", 32, 32, 32, false, 0, [](auto &a, auto &b, auto &c) {
    product<__half, 32, 32, 32><<<1, 1>>>(a, b, c);
  });
#if __has_include(<cuda_tf32.h>)
  check<float, float>("tf32, 32x32x16", 32, 32, 16, false, 1, [](auto &a, auto &b, auto &c) {
    multiply_tf32<32, 32, 16><<<1, 1>>>(a, b, c);
  });
#endif
  return run::finish();
}
