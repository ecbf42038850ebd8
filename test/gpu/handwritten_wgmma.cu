// Runs handwritten_wgmma.h on a GPU: compares with a plain kernel and prints TFLOP/s, beside
// cuBLAS where it is compiled with -DWITH_CUBLAS -lcublas.
//
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -I runtime/include
//   test/gpu/handwritten_wgmma.cu -o handwritten_wgmma
#include "handwritten_wgmma.h"
#include "product.h"

#include <tessera/host/tensor_map.h>

#ifdef WITH_CUBLAS
#include <cublas_v2.h>
#endif

using product::check;
using tessera::bf16;

template <class S> static bool run(const char *name, int m, int n, int k) {
  const auto kernel = kernels::gemm_by_roles<S>;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::shared_bytes));
  int device = 0, blocks = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device));
  return product::run(
      name, m, n, k, S::is_b_transposed, [&](const bf16 *a, const bf16 *b, bf16 *c) {
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

static bool beside_cublas([[maybe_unused]] int n) {
#ifdef WITH_CUBLAS
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float one = 1, zero = 0;
  for (bool transposed : {false, true})
    product::run(transposed ? "cuBLAS NT" : "cuBLAS NN", n, n, n, transposed,
                 [&](const bf16 *a, const bf16 *b, bf16 *c) {
                   cublasGemmEx(handle, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, n, n,
                                n, &one, b, CUDA_R_16BF, n, a, CUDA_R_16BF, n, &zero, c,
                                CUDA_R_16BF, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
                 });
  cublasDestroy(handle);
#endif
  bool right = run<kernels::wgmma_tiling<256, 4, false>>("NN 128x256x64", n, n, n);
  right &= run<kernels::wgmma_tiling<256, 4, true>>("NT 128x256x64", n, n, n);
  right &= run<kernels::wgmma_tiling<128, 5, false>>("NN 128x128x64", n, n, n);
  right &= run<kernels::wgmma_tiling<128, 5, true>>("NT 128x128x64", n, n, n);
  return right;
}

int main() {
  bool right = beside_cublas(4096);
  right &= beside_cublas(8192);
  // Tiles hang over every edge; rows are still aligned.
  right &= run<kernels::wgmma_tiling<256, 4, false>>("NN 128x256x64", 1000, 520, 328);
  right &= run<kernels::wgmma_tiling<128, 5, true>>("NT 128x128x64", 257, 136, 72);
  return right ? 0 : 1;
}
