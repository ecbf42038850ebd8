// Products of bytes and fp8 by the instructions of a warp, beside those of bf16: tiles with as many
// bytes of K, operands along K and across it. A text for sm_80 (sm_89 with fp8) runs on later GPUs
// as PTX, with the plan of its own architecture:
//
//   tessera --arch=sm_80 test/gpu/byte_products.cu -o byte_products.simt.cu
//   nvcc -O3 -std=c++20 -gencode arch=compute_80,code=compute_80 -I runtime/include -I test/gpu \
//     byte_products.simt.cu -o byte_products
//   byte_products [SIZE]      4096 unless given
//
// -D WITH_FP8 for both, with --arch=sm_89 and compute_89, measures fp8, too.
#include "product.h"

#include <cuda_tile.h>
#include <string>

namespace ct = cuda::tiles;
using product::bf16;

template <class T, class Out, int M, int N, int K, bool Transposed>
__tile_global__ void multiply(const T *__restrict__ a, const T *__restrict__ b, Out *__restrict__ c,
                              int m, int n, int k) {
  using Sum = std::conditional_t<std::is_integral_v<T>, int, float>;
  const int row = ct::bid().y, column = ct::bid().x;
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<M, K>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  auto sum = ct::zeros<ct::tile<Sum, ct::shape<M, N>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    if constexpr (Transposed) {
      auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{n, k}}, ct::shape<N, K>{}};
      sum = ct::mma(as.load_masked(row, i), ct::transpose(bs.load_masked(column, i)), sum);
    } else {
      auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<K, N>{}};
      sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
    }
  }
  cs.store_masked(ct::element_cast<Out>(sum), row, column);
}

template <class T, class Out, int M, int N, int K, bool Transposed>
bool run(const std::string &of, int m, int n, int k) {
  const std::string name = of + (Transposed ? " NT " : " NN ") + std::to_string(M) + "x" +
                           std::to_string(N) + "x" + std::to_string(K);
  return product::run<T, Out>(
      name.c_str(), m, n, k, Transposed, [&](const T *a, const T *b, Out *c) {
        multiply<T, Out, M, N, K, Transposed>
            <<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(a, b, c, m, n, k);
      });
}

template <class T, class Out> bool tiles(const char *name, int n) {
  constexpr int k = 128 / sizeof(T);
  bool right = run<T, Out, 128, 128, k, false>(name, n, n, n);
  right &= run<T, Out, 128, 128, k, true>(name, n, n, n);
  right &= run<T, Out, 128, 128, k / 2, false>(name, n, n, n);
  right &= run<T, Out, 128, 128, k / 2, true>(name, n, n, n);
  right &= run<T, Out, 64, 64, k, false>(name, n, n, n);
  right &= run<T, Out, 64, 64, k, true>(name, n, n, n);
  right &= run<T, Out, 32, 64, k, false>(name, n, n, n);
  right &= run<T, Out, 128, 128, k, false>(name, 1000, 528, 400);
  return right & run<T, Out, 64, 64, k, true>(name, 1001, 523, 417);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 4096;
  bool right = tiles<bf16, bf16>("bf16", n);
  right &= tiles<signed char, int>("s8", n);
  right &= tiles<unsigned char, int>("u8", n);
#ifdef WITH_FP8
  right &= tiles<__nv_fp8_e4m3, bf16>("e4m3", n);
  right &= tiles<__nv_fp8_e5m2, bf16>("e5m2", n);
#endif
  return right ? 0 : 1;
}
