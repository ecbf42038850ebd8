// The products of handwritten_wgmma.cu as programs: the same elements, orders and tiles, what is
// emitted for them beside the library and beside what was written by hand.
//
//   tessera test/gpu/emitted_products.cu -o emitted.simt.cu
//   nvcc -O3 -std=c++20 -gencode arch=compute_90a,code=sm_90a -I runtime/include -I test/gpu \
//     emitted.simt.cu -lcublasLt -lcublas -o emitted_products
//   emitted_products [SIZE]      4096 unless given
#include "cublas_products.h"

#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>
#include <string>

namespace ct = cuda::tiles;
using product::bf16, product::check;

// Floats are rounded to tf32; the library cuts them off.
template <class T, class Tile> __tile__ auto factor(Tile tile) {
  if constexpr (std::is_same_v<T, float>)
    return ct::element_cast<__nv_tf32>(tile);
  else
    return tile;
}

template <class T, class Out, int M, int N, int K, bool Transposed>
__tile_global__ void multiply(const T *__restrict__ a, const T *__restrict__ b,
                              Out *__restrict__ c, int m, int n, int k) {
  using Sum = std::conditional_t<std::is_integral_v<T>, int, float>;
  const int row = ct::bid().y, column = ct::bid().x;
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<M, K>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  auto sum = ct::zeros<ct::tile<Sum, ct::shape<M, N>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    auto x = factor<T>(as.load_masked(row, i));
    if constexpr (Transposed) {
      auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{n, k}}, ct::shape<N, K>{}};
      sum = ct::mma(x, ct::transpose(factor<T>(bs.load_masked(column, i))), sum);
    } else {
      auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<K, N>{}};
      sum = ct::mma(x, factor<T>(bs.load_masked(i, column)), sum);
    }
  }
  cs.store_masked(ct::element_cast<Out>(sum), row, column);
}

template <class T, class Out, int M, int N, int K, bool Transposed>
bool run(const char *name, int m, int n, int k) {
  return product::run<T, Out>(name, m, n, k, Transposed, [&](const T *a, const T *b, Out *c) {
    multiply<T, Out, M, N, K, Transposed>
        <<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(a, b, c, m, n, k);
  });
}

template <class T, class Out, int K, bool Transposed> bool tiles(const char *name, int n) {
  std::string of = std::string(name) + (Transposed ? " NT" : " NN");
  bool right = cublas::run<T, Out>(("cuBLAS " + of).c_str(), n, n, n, Transposed);
  right &= run<T, Out, 128, 256, K, Transposed>((of + " 128x256").c_str(), n, n, n);
  right &= run<T, Out, 128, 128, K, Transposed>((of + " 128x128").c_str(), n, n, n);
  return right & run<T, Out, 128, 256, K, Transposed>((of + " 128x256").c_str(), 1000, 520, 400);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 4096;
  bool right = tiles<bf16, bf16, 64, false>("bf16", n);
  right &= tiles<bf16, bf16, 64, true>("bf16", n);
  right &= tiles<__half, __half, 64, false>("f16", n);
  right &= tiles<__half, __half, 64, true>("f16", n);
  right &= tiles<float, float, 32, false>("tf32", n);
  right &= tiles<float, float, 32, true>("tf32", n);
  right &= tiles<__nv_fp8_e4m3, bf16, 128, true>("e4m3", n);
  right &= tiles<signed char, int, 128, true>("int8", n);
  return right ? 0 : 1;
}
