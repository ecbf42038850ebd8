// Runs handwritten_gemm.h on a GPU: compares with a plain kernel and prints TFLOP/s.
//
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -I runtime/include
//   test/gpu/handwritten_gemm.cu -o handwritten_gemm ./handwritten_gemm [m n k]
#include "handwritten_gemm.h"
#include "product.h"

static bool run(int m, int n, int k) {
  using namespace kernels;
  product::check(
      cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  const dim3 grid((n + 127) / 128, (m + 127) / 128);
  return product::run<bf16, bf16>("mma.sync", m, n, k, false,
                                  [&](const bf16 *a, const bf16 *b, bf16 *c) {
                                    gemm<<<grid, 256, shared_bytes>>>(a, b, c, m, n, k);
                                  });
}

int main(int argc, char **argv) {
  if (argc == 4)
    return run(std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3])) ? 0 : 1;
  bool right = true;
  right &= run(4096, 4096, 4096);
  right &= run(8192, 8192, 8192);
  right &= run(1000, 520, 328); // tiles hang over every edge, rows still aligned
  right &= run(257, 131, 67);   // rows are not aligned: the guarded path
  return right ? 0 : 1;
}
