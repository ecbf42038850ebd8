// What the language has not and --extensions allows: calls of device functions on scalars, of
// constexpr functions of the host, and recursion that ends when it is compiled. What such functions
// do beyond that is refused where it stands.
// RUN: split-file %s %t
// RUN: %tessera run -O0 --extensions --target=cpu %t/good.cu
// RUN: %if long %{ %tessera run -O0 --extensions --target=emulate %t/good.cu %}
// RUN: %clang_plugin -fplugin-arg-tessera-extensions -S %t/good.cu -o /dev/null
// RUN: not %tessera check %t/good.cu 2>&1 | FileCheck %t/good.cu
// RUN: not %tessera check --extensions %t/bad.cu 2>&1 | FileCheck %t/bad.cu \
// RUN:   --implicit-check-not=error:
// RUN: not %tessera check --extensions %t/endless.cu 2>&1 | FileCheck %t/endless.cu

//--- good.cu
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cuda_tile.h>

#include <algorithm>
#include <limits>

namespace ct = cuda::tiles;

__device__ int plus_one(int x) { return x + 1; }
__host__ __device__ float twice(float x) { return 2 * x; }
template <class T> __device__ T through(T x) { return plus_one(x) * T(10); }
constexpr int square(int x) { return x * x; }
struct range {
  int from, to;
  constexpr int size() const { return to - from; }
};

template <class T> __tile__ T power(T x, int n) { return n == 1 ? x : x * power(x, n - 1); }
__tile__ int odd(int n);
__tile__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__tile__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }
constexpr int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__tile_global__ void k(int *o, int n) {
  // CHECK: tile code calls 'plus_one', which is not a __tile__ function; --extensions allows it
  o[0] = plus_one(n);
  o[1] = int(twice(float(n)));
  o[2] = through(n);
  o[3] = square(n) + range{1, n}.size();
  o[4] = std::max(n, 4) + std::min(n, 4);
  o[5] = std::numeric_limits<short>::max();
  o[6] = power(n, 3) + even(6) + odd(6);
  o[7] = fibonacci(7);
  auto i = ct::iota<ct::tile<int, ct::shape<4>>>();
  ct::store(o + 8 + i, power(i + 1, 2));
}

__tile_global__ void pairs(const float *x, float *o) {
  const __half2 h = __floats2half2_rn(x[0], x[1]) * __float2half2_rn(2) + -__float2half2_rn(4);
  o[0] = __low2float(h);
  o[1] = __high2float(h);
}

int main() {
  int *o, got[12];
  cudaMalloc((void **)&o, sizeof got);
  k<<<1, 1>>>(o, 5);
  cudaMemcpy(got, o, sizeof got, cudaMemcpyDeviceToHost);
  const int wanted[] = {6, 10, 60, 29, 9, 32767, 126, 13, 1, 4, 9, 16};
  if (!std::equal(wanted, wanted + 12, got))
    return 1;
  float *x, numbers[4] = {3, 4};
  cudaMalloc((void **)&x, sizeof numbers);
  cudaMemcpy(x, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  pairs<<<1, 1>>>(x, x + 2);
  cudaMemcpy(numbers, x, sizeof numbers, cudaMemcpyDeviceToHost);
  return numbers[2] != 2 || numbers[3] != 4;
}

//--- bad.cu
#include <cuda_runtime.h>
#include <cuda_tile.h>
__device__ int global;
__device__ int first(int x) {
  // CHECK: bad.cu:[[@LINE+1]]:14: error: tile code names 'threadIdx'
  return x + threadIdx.x;
}
__device__ int second(int x) {
  // CHECK: bad.cu:[[@LINE+1]]:3: error: tile code calls '__syncthreads'
  __syncthreads();
  // CHECK: bad.cu:[[@LINE+1]]:14: error: tile code names the variable 'global'
  return x + global;
}
__device__ int third(int x) { return second(x); }
__tile_global__ void k(int *p) { p[0] = first(1) + third(2); }

//--- endless.cu
#include <cuda_tile.h>
__tile__ int down(int n) { return n <= 0 ? 0 : 1 + down(n - 1); }
// CHECK: endless.cu:[[@LINE-1]]:{{.*}}: error: 'down' calls itself; tile code has no recursion
__tile_global__ void k(int *p) { p[0] = down(p[1]); }
