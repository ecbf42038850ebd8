// Batched products with one operand for all batches: computed, so that no batch is read alone, and
// one multiply takes them all, with their rows or columns side by side.
#include "run.h"
#include <cuda_fp8.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <class T, int B, int M, int K> __tile__ auto doubled(const T *p) {
  auto whole = ct::partition_view{ct::tensor_span{p, ct::shape<B, M, K>{}}, ct::shape<B, M, K>{}};
  return ct::element_cast<T>(ct::element_cast<float>(whole.load(0, 0, 0)) * 2.0f);
}

// Batches of A and of B, 1 for an operand that is the same for all of C's.
template <class T, class Acc, int A, int B, int C, int M, int N, int K>
__tile_global__ void product(const T *a, const T *b, Acc *c) {
  auto cs = ct::partition_view{ct::tensor_span{c, ct::shape<C, M, N>{}}, ct::shape<C, M, N>{}};
  auto sum = ct::full<ct::tile<Acc, ct::shape<C, M, N>>>(Acc(1));
  for (int i = 0; i < 2; ++i)
    sum = ct::mma(doubled<T, A, M, K>(a), doubled<T, B, K, N>(b), sum);
  cs.store(sum, 0, 0, 0);
}

template <class T, class Acc, int A, int B, int C, int M, int N, int K>
void check(const char *name) {
  auto value = [](size_t i) { return double(int(i * 7 % 5) - 2); };
  run::array<T> a(A * M * K, [&](size_t i) { return T(float(value(i))); });
  run::array<T> b(B * K * N, [&](size_t i) { return T(float(value(i + 3))); });
  run::array<Acc> c(C * M * N);
  product<T, Acc, A, B, C, M, N, K><<<1, 1>>>(a.device, b.device, c.device);
  run::expect(name, c, [&](size_t at) {
    const size_t n = at % N, m = at / N % M, batch = at / N / M;
    double sum = 1;
    for (size_t k = 0; k < K; ++k)
      sum += 8 * value((A == 1 ? 0 : batch * M * K) + m * K + k) *
             value((B == 1 ? 0 : batch * K * N) + k * N + n + 3);
    return sum;
  });
}

int main() {
  using bf16 = __nv_bfloat16;
  check<__half, float, 1, 2, 2, 16, 64, 32>("one A of half");
  check<__half, float, 2, 1, 2, 64, 16, 32>("one B of half");
  check<bf16, float, 4, 1, 4, 32, 32, 16>("one B of bf16, four batches");
  check<bf16, float, 1, 4, 4, 64, 64, 64>("one A of bf16, four batches");
  check<__nv_fp8_e4m3, float, 1, 2, 2, 64, 32, 64>("one A of e4m3");
  check<__half, float, 2, 2, 2, 16, 16, 16>("each its own");
  check<float, float, 1, 2, 2, 16, 16, 16>("one A of float");
}
