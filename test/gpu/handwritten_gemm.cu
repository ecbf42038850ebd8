// Runs handwritten_gemm.h on a GPU: compares with a plain kernel and prints TFLOP/s.
//
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -I runtime/include
//   test/gpu/handwritten_gemm.cu -o handwritten_gemm ./handwritten_gemm [m n k]
#include "handwritten_gemm.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace kernels {

// One thread per element.
__global__ void reference(const bf16 *a, const bf16 *b, float *c, int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= n)
    return;
  float sum = 0;
  for (int l = 0; l < k; ++l)
    sum += __bfloat162float(a[static_cast<long long>(i) * k + l]) *
           __bfloat162float(b[static_cast<long long>(l) * n + j]);
  c[static_cast<long long>(i) * n + j] = sum;
}

} // namespace kernels

static void check(cudaError_t e) {
  if (e == cudaSuccess)
    return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
  std::exit(1);
}

template <class T> static T *allocate(size_t count) {
  void *p = nullptr;
  check(cudaMalloc(&p, count * sizeof(T)));
  return static_cast<T *>(p);
}

static bool run(int m, int n, int k) {
  using namespace kernels;
  const size_t a_size = size_t(m) * k, b_size = size_t(k) * n, c_size = size_t(m) * n;
  std::vector<bf16> a(a_size), b(b_size), c(c_size);
  unsigned seed = 1;
  auto random = [&seed] {
    return __float2bfloat16(
        static_cast<int>((seed = seed * 1664525u + 1013904223u) >> 24) / 128.0f - 1.0f);
  };
  for (bf16 &x : a)
    x = random();
  for (bf16 &x : b)
    x = random();
  bf16 *da = allocate<bf16>(a_size), *db = allocate<bf16>(b_size), *dc = allocate<bf16>(c_size);
  float *expected = allocate<float>(c_size);
  check(cudaMemcpy(da, a.data(), a_size * sizeof(bf16), cudaMemcpyHostToDevice));
  check(cudaMemcpy(db, b.data(), b_size * sizeof(bf16), cudaMemcpyHostToDevice));
  check(cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));

  const dim3 grid((n + 127) / 128, (m + 127) / 128);
  reference<<<dim3((n + 255) / 256, m), 256>>>(da, db, expected, n, k);
  gemm<<<grid, 256, shared_bytes>>>(da, db, dc, m, n, k);
  check(cudaDeviceSynchronize());
  std::vector<float> e(c_size);
  check(cudaMemcpy(c.data(), dc, c_size * sizeof(bf16), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(e.data(), expected, c_size * sizeof(float), cudaMemcpyDeviceToHost));
  size_t wrong = 0;
  for (size_t i = 0; i < c_size; ++i)
    if (!(std::fabs(__bfloat162float(c[i]) - e[i]) <=
          0.01f * std::fabs(e[i]) + 0.02f * std::sqrt(float(k))))
      ++wrong;

  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  const int rounds = 20;
  check(cudaEventRecord(begin));
  for (int i = 0; i < rounds; ++i)
    gemm<<<grid, 256, shared_bytes>>>(da, db, dc, m, n, k);
  check(cudaEventRecord(end));
  check(cudaEventSynchronize(end));
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin, end));
  std::printf("%5d x %5d x %5d: %s, %.1f TFLOP/s\n", m, n, k, wrong ? "WRONG" : "right",
              2.0 * m * n * k * rounds / (ms * 1e9));
  if (wrong)
    std::printf("  %zu of %zu elements differ\n", wrong, c_size);
  for (void *p : {static_cast<void *>(da), static_cast<void *>(db), static_cast<void *>(dc),
                  static_cast<void *>(expected)})
    check(cudaFree(p));
  return wrong == 0;
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
