// Hand-written kernels beside emitted ones compile and run as they are, but for the launch: CUDA's
// headers in any order, its keywords, built-in variables and functions.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>

#include "reports.h"

#include <numeric>
#include <vector>

namespace {

__constant__ float operand = 2;
__device__ int finished_blocks;

struct plain {
  int gridDim; // names of built-in variables may be used for other things
};

__device__ __forceinline__ float sum_of_warp(float x) {
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    x += __shfl_down_sync(0xffffffff, x, distance);
  return x;
}

__global__ void __launch_bounds__(256) sum(const __half *__restrict__ in, float *out, int n) {
  __shared__ float partial[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = sum_of_warp(i < n ? operand * __half2float(in[i]) : 0.0f);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x >= 32)
    return;
  x = sum_of_warp(threadIdx.x < 8 ? partial[threadIdx.x] : 0.0f);
  if (threadIdx.x == 0) {
    atomicAdd(out, x);
    __threadfence();
    atomicInc(reinterpret_cast<unsigned *>(&finished_blocks), gridDim.x);
  }
}

TEST(simt, a_reduction_as_people_write_it) {
  std::vector<__half> in(1000, __half(0.5f));
  float out = 0;
  finished_blocks = 0;
  tessera::emulate::run(4, 256, 0, [&] { sum(in.data(), &out, 1000); }, "sum");
  EXPECT_EQ(out, 1000.0f);
  EXPECT_EQ(finished_blocks, 4);
  tessera::emulate::expect_none(tessera::emulate::take_reports());
}

TEST(simt, host_arithmetic_of_small_floats_works) {
  __nv_bfloat16 a(1.5f), b(2.0f);
  EXPECT_EQ(float(a + b), 3.5f);
  EXPECT_TRUE(__half(1.0f) < __half(2.0f));
  EXPECT_EQ(plain{3}.gridDim, 3);
}

TEST(simt, atomics_give_the_old_value) {
  int x = 5;
  unsigned mask = 0xF0;
  double d = 1;
  tessera::emulate::expect_none(tessera::emulate::run_and_report(1, 0, [&] {
    EXPECT_EQ(atomicAdd(&x, 2), 5);
    EXPECT_EQ(atomicMax(&x, 9), 7);
    EXPECT_EQ(atomicExch(&x, 1), 9);
    EXPECT_EQ(atomicCAS(&x, 1, 4), 1);
    EXPECT_EQ(atomicCAS(&x, 1, 5), 4);
    EXPECT_EQ(atomicAnd(&mask, 0x3Cu), 0xF0u);
    EXPECT_EQ(atomicAdd(&d, 0.5), 1.0);
  }));
  EXPECT_EQ(x, 4);
  EXPECT_EQ(mask, 0x30u);
  EXPECT_EQ(d, 1.5);
}

} // namespace
