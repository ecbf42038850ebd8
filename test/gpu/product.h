// What a hand-written matrix product is held against: its operands, a plain kernel's result, and
// the time of 20 launches.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

namespace product {

using bf16 = __nv_bfloat16;

// Elements are computed with as floats, integers as they are.
template <class T> using number = std::conditional_t<std::is_integral_v<T>, int, float>;
template <class T> __host__ __device__ number<T> value_of(T x) { return static_cast<number<T>>(x); }
// One of 256 values: from -1 up to 1, or all that 8 bits hold.
template <class T> T element(unsigned byte) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(byte);
  else
    return static_cast<T>(static_cast<int>(byte) / 128.0f - 1.0f);
}

inline void check(cudaError_t e) {
  if (e == cudaSuccess)
    return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
  std::exit(1);
}

template <class T> class array {
public:
  explicit array(size_t count) : count(count) { check(cudaMalloc(&p, count * sizeof(T))); }
  explicit array(const std::vector<T> &values) : array(values.size()) {
    check(cudaMemcpy(p, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  array(const array &) = delete;
  ~array() { cudaFree(p); }
  operator T *() const { return p; }
  std::vector<T> values() const {
    std::vector<T> result(count);
    check(cudaMemcpy(result.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost));
    return result;
  }

private:
  size_t count;
  T *p = nullptr;
};

// One thread per element; b is n x k in memory if it is transposed.
template <class T>
__global__ void reference(const T *a, const T *b, number<T> *c, int n, int k, bool transposed) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= n)
    return;
  number<T> sum = 0;
  for (int l = 0; l < k; ++l)
    sum +=
        value_of(a[static_cast<long long>(i) * k + l]) *
        value_of(
            b[transposed ? static_cast<long long>(j) * k + l : static_cast<long long>(l) * n + j]);
  c[static_cast<long long>(i) * n + j] = sum;
}

// Whether x is what was expected of a sum of k products, as a result of its type can be: tf32 and
// fp8 lose digits of factors and of sums.
template <class T, class Out> bool is_near(Out x, number<T> expected, int k) {
  if constexpr (std::is_integral_v<Out>)
    return x == expected;
  else
    return std::fabs(static_cast<float>(x) - expected) <=
           0.01f * std::fabs(expected) + 0.02f * std::sqrt(float(k));
}

// launch(a, b, c) of m x k and k x n. Prints a line; false: the result is wrong.
template <class T, class Out, class Launch>
bool run(const char *name, int m, int n, int k, bool is_b_transposed, Launch launch) {
  const size_t a_size = size_t(m) * k, b_size = size_t(k) * n, c_size = size_t(m) * n;
  std::vector<T> values(a_size > b_size ? a_size : b_size);
  unsigned seed = 1;
  for (T &x : values)
    x = element<T>((seed = seed * 1664525u + 1013904223u) >> 24);
  const array<T> a(std::vector<T>(values.begin(), values.begin() + a_size));
  const array<T> b(std::vector<T>(values.rbegin(), values.rbegin() + b_size));
  const array<Out> c(c_size);
  const array<number<T>> expected(c_size);
  reference<T><<<dim3((n + 255) / 256, m), 256>>>(a, b, expected, n, k, is_b_transposed);
  launch(a, b, c);
  check(cudaDeviceSynchronize());
  const std::vector<Out> computed = c.values();
  const std::vector<number<T>> e = expected.values();
  size_t wrong = 0;
  for (size_t i = 0; i < c_size; ++i)
    if (!is_near<T>(computed[i], e[i], k))
      ++wrong;

  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  const int rounds = 20;
  check(cudaEventRecord(begin));
  for (int i = 0; i < rounds; ++i)
    launch(a, b, c);
  check(cudaEventRecord(end));
  check(cudaEventSynchronize(end));
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin, end));
  std::printf("%-24s %5d x %5d x %5d: %s, %.1f TFLOP/s\n", name, m, n, k, wrong ? "WRONG" : "right",
              2.0 * m * n * k * rounds / (ms * 1e9));
  if (wrong)
    std::printf("  %zu of %zu elements differ\n", wrong, c_size);
  return wrong == 0;
}

} // namespace product
