// Runs handwritten_wgmma.h on a GPU: compares with a plain kernel and prints TFLOP/s, beside
// cuBLAS where it is compiled with -DWITH_CUBLAS -lcublas -lcublasLt.
//
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -I runtime/include
//   test/gpu/handwritten_wgmma.cu -o handwritten_wgmma
#include "handwritten_wgmma.h"
#include "product.h"

#include <tessera/host/tensor_map.h>

#ifdef WITH_CUBLAS
#include "cublas_products.h"
#endif

using product::check;
using tessera::bf16, tessera::fp8_e4m3, tessera::fp8_e5m2, tessera::tf32;

// A tf32 lies in memory as a float.
template <class T> using stored = std::conditional_t<std::is_same_v<T, tf32>, float, T>;

template <class S> static bool run(const char *name, int m, int n, int k) {
  using T = stored<typename S::element>;
  using Out = typename S::result;
  const auto kernel = kernels::gemm_by_roles<S>;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::shared_bytes));
  int device = 0, blocks = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device));
  return product::run<T, Out>(
      name, m, n, k, S::is_b_transposed, [&](const T *a, const T *b, Out *c) {
        tessera::tensor_map a_map, b_map, c_map;
        check(tessera::host::make_tensor_map(a_map, a, m, k, k, S::rows));
        if (S::is_b_transposed)
          check(tessera::host::make_tensor_map(b_map, b, n, k, k, S::columns));
        else
          check(tessera::host::make_tensor_map(b_map, b, k, n, n, S::depth));
        check(tessera::host::make_tensor_map(c_map, c, m, n, n, 64));
        kernel<<<blocks, S::threads, S::shared_bytes>>>(a_map, b_map, c_map, m, n, k);
      });
}

static bool run_all(int n) {
  using namespace kernels;
  bool right = true;
#ifdef WITH_CUBLAS
  right &= cublas::run<bf16, bf16>("cuBLAS bf16 NN", n, n, n, false);
  right &= cublas::run<bf16, bf16>("cuBLAS bf16 NT", n, n, n, true);
#endif
  right &= run<bf16_tiling<256, 4, false>>("bf16 NN 128x256x64", n, n, n);
  right &= run<bf16_tiling<256, 4, true>>("bf16 NT 128x256x64", n, n, n);
  right &= run<bf16_tiling<128, 5, false>>("bf16 NN 128x128x64", n, n, n);
  right &= run<bf16_tiling<128, 5, true>>("bf16 NT 128x128x64", n, n, n);
#ifdef WITH_CUBLAS
  right &= cublas::run<float, float>("cuBLAS tf32 NT", n, n, n, true);
#endif
  right &= run<tf32_tiling<256, 4>>("tf32 NT 128x256x32", n, n, n);
  right &= run<tf32_tiling<128, 5>>("tf32 NT 128x128x32", n, n, n);
#ifdef WITH_CUBLAS
  right &= cublas::run<fp8_e4m3, bf16>("cuBLAS e4m3 NT", n, n, n, true);
  right &= cublas::run<fp8_e4m3, bf16>("cuBLAS e4m3 NT, fast", n, n, n, true, true);
#endif
  right &= run<fp8_tiling<fp8_e4m3, 256, 4>>("e4m3 NT 128x256x128", n, n, n);
  right &= run<fp8_tiling<fp8_e4m3, 128, 5>>("e4m3 NT 128x128x128", n, n, n);
#ifdef WITH_CUBLAS
  right &= cublas::run<signed char, int>("cuBLAS int8 NT", n, n, n, true);
#endif
  right &= run<int8_tiling<signed char, 256, 4>>("int8 NT 128x256x128", n, n, n);
  right &= run<int8_tiling<signed char, 128, 5>>("int8 NT 128x128x128", n, n, n);
  return right;
}

int main() {
  using namespace kernels;
  bool right = run_all(4096);
  right &= run_all(8192);
  // Tiles hang over every edge; rows are still aligned.
  right &= run<bf16_tiling<256, 4, false>>("bf16 NN 128x256x64", 1000, 520, 328);
  right &= run<bf16_tiling<128, 5, true>>("bf16 NT 128x128x64", 257, 136, 72);
  right &= run<tf32_tiling<256, 4>>("tf32 NT 128x256x32", 1000, 516, 76);
  right &= run<fp8_tiling<fp8_e5m2, 256, 4>>("e5m2 NT 128x256x128", 257, 520, 400);
  right &= run<int8_tiling<unsigned char, 128, 5>>("uint8 NT 128x128x128", 257, 132, 400);
  return right ? 0 : 1;
}
