// What the run-time programs share: arrays on the device, results that are checked and printed, the
// verdict.
//
// A program checks each result against a plain host computation and prints it with its tolerance;
// run_three_ways.py compares the printed numbers between targets. The table of tolerances is here
// and nowhere else.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <vector>

namespace run {

// Relative error that a result of element type T may have, against the largest element of the
// result.
template <class T> constexpr double tolerance = std::is_integral_v<T> ? 0.0 : 1e-12;
template <> inline constexpr double tolerance<float> = 1e-5;
template <> inline constexpr double tolerance<__half> = 2e-3;
template <> inline constexpr double tolerance<__nv_bfloat16> = 1.6e-2;

inline int failures = 0;

inline void require(cudaError_t status) {
  if (status == cudaSuccess)
    return;
  std::printf("error: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

template <class T> double number(T x) {
  if constexpr (std::is_arithmetic_v<T>)
    return double(x);
  else
    return double(float(x));
}

// n elements on the device, first filled by f(i), or with zeros; `host` is refreshed by fetch(). []
// gives numbers, those that `host` had when it was first asked: each is converted once, since
// without optimization conversions take most of the time of a computation on the host.
template <class T> struct array {
  std::size_t size;
  std::unique_ptr<T[]> host;
  T *device = nullptr;
  mutable double *numbers = nullptr;

  explicit array(std::size_t n) : array(n, [](std::size_t) { return 0; }) {}
  template <class F> array(std::size_t n, F f) : size(n), host(new T[n]) {
    for (std::size_t i = 0; i < n; ++i)
      host[i] = T(f(i));
    require(cudaMalloc((void **)&device, n * sizeof(T)));
    require(cudaMemcpy(device, host.get(), n * sizeof(T), cudaMemcpyHostToDevice));
  }
  array(const array &) = delete;
  array &operator=(const array &) = delete;
  ~array() {
    delete[] numbers;
    cudaFree(device);
  }

  operator T *() const { return device; }
  double operator[](std::size_t i) const {
    if (!numbers)
      find_numbers();
    return numbers[i];
  }

  void fetch() {
    require(cudaGetLastError());
    require(cudaDeviceSynchronize());
    require(cudaMemcpy(host.get(), device, size * sizeof(T), cudaMemcpyDeviceToHost));
    delete[] numbers;
    numbers = nullptr;
  }

private:
  void find_numbers() const {
    numbers = new double[size];
    const T *from = host.get();
    for (std::size_t i = 0; i < size; ++i)
      numbers[i] = number(from[i]);
  }
};

inline bool near(double got, double wanted, double bound) {
  if (std::isnan(wanted) || std::isinf(wanted))
    return std::isnan(wanted) ? std::isnan(got) : got == wanted;
  return std::abs(got - wanted) <= bound;
}

// Fetches `result`, compares element i with wanted(i), prints at most 64 elements spread over it.
// `relative`: where the inputs of a computation are coarser than its result.
template <class T, class F>
void expect(const char *name, array<T> &result, F wanted, double relative = tolerance<T>) {
  result.fetch();
  const std::size_t n = result.size;
  const std::unique_ptr<double[]> kept(new double[n]);
  double *const right = kept.get();
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    right[i] = double(wanted(i));
    if (std::isfinite(right[i]))
      largest = std::fmax(largest, std::abs(right[i]));
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (near(result[i], right[i], relative * largest))
      continue;
    std::printf("wrong: %s[%zu] is %.9g, should be %.9g\n", name, i, result[i], right[i]);
    ++failures;
    break;
  }

  std::printf("%s ~%g:", name, relative);
  const std::size_t stride = n <= 64 ? 1 : n / 64;
  for (std::size_t i = 0; i < n; i += stride)
    std::printf(" %.9g", result[i]);
  std::printf("\n");
}

inline int finish() { return failures != 0; }

// A spread of small numbers, exact in every floating-point type: multiples of 1/8 in [-2, 2).
inline double small(std::size_t i) { return double((i * 2654435761u >> 7) % 32) / 8 - 2; }

} // namespace run
