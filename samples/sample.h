// What a sample needs around its kernel: arguments, arrays on the device, a stopwatch and the
// verdict. Only documented CUDA runtime calls, so that a sample also builds with nvcc alone.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace sample {

/// Ends the program with exit status 1 when `status` is an error.
inline void require(cudaError_t status, const char *what) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

/// The positive integer in argument `position`, or `fallback` when it is not given.
inline unsigned size_argument(int argc, char **argv, int position, unsigned fallback) {
  if (position >= argc)
    return fallback;
  char *end = nullptr;
  const long long value = std::strtoll(argv[position], &end, 10);
  if (*end == '\0' && value >= 1 && value <= 0x7fffffff)
    return static_cast<unsigned>(value);
  std::fprintf(stderr, "error: '%s' is not a size from 1 to 2147483647\n", argv[position]);
  std::exit(1);
}

/// The number of SMs of the device.
inline unsigned multiprocessors() {
  int device = 0, count = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
  return count;
}

/// An array on the device, filled from the host or left for a kernel to write.
template <class T> class device_array {
public:
  explicit device_array(std::size_t size) : size_(size) {
    require(cudaMalloc(&data_, size * sizeof(T)), "cudaMalloc");
  }
  explicit device_array(const std::vector<T> &host) : device_array(host.size()) {
    require(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice),
            "cudaMemcpy");
  }
  device_array(const device_array &) = delete;
  device_array &operator=(const device_array &) = delete;
  ~device_array() { cudaFree(data_); }

  T *get() const { return data_; }

  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    require(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost),
            "cudaMemcpy");
    return host;
  }

private:
  T *data_ = nullptr;
  std::size_t size_;
};

/// Uniform numbers in [-1, 1), the same ones in every run and on every machine.
class random_numbers {
public:
  explicit random_numbers(unsigned seed) : state_(seed) {}

  float operator()() { return static_cast<float>(next() >> 8) * 0x1p-23f - 1.0f; }
  unsigned below(unsigned bound) {
    return static_cast<unsigned>(static_cast<unsigned long long>(next()) * bound >> 32);
  }

private:
  unsigned next() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<unsigned>(state_ >> 32);
  }

  unsigned long long state_;
};

template <class T> std::vector<T> random_vector(std::size_t size, unsigned seed) {
  random_numbers random(seed);
  std::vector<T> result(size);
  for (T &value : result)
    value = T(random());
  return result;
}

/// Where each of the segments of a long array starts, and the last ends. The lengths are random:
/// `length` on average, up to twice that; seldom sixteen times, so that neighbours differ.
inline std::vector<int> random_offsets(unsigned segments, unsigned length, unsigned seed) {
  random_numbers random(seed);
  std::vector<int> offsets(segments + 1);
  for (unsigned s = 0; s < segments; ++s)
    offsets[s + 1] =
        offsets[s] + int(random.below(2 * length + 1) * (random.below(64) == 0 ? 16 : 1));
  return offsets;
}

/// Ends the program with exit status 1 unless `got` is near `wanted`; `row` and `column` say where
/// it stands.
inline void expect_near(double got, double wanted, double relative, double absolute,
                        std::size_t row, std::size_t column) {
  if (std::abs(got - wanted) <= relative * std::abs(wanted) + absolute)
    return;
  std::fprintf(stderr, "error: result (%zu, %zu) is %.9g, should be %.9g\n", row, column, got,
               wanted);
  std::exit(1);
}

/// Wall-clock seconds of one launch, waited for.
template <class Launch> double seconds_once(Launch launch) {
  const auto start = std::chrono::steady_clock::now();
  launch();
  require(cudaGetLastError(), "launch");
  require(cudaDeviceSynchronize(), "kernel");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Median microseconds of a launch. There are 100 of them, or as few as fit into half a second
/// where launches are slow.
template <class Launch> double median_microseconds(Launch launch) {
  double once = seconds_once(launch);
  if (once < 0.5)
    once = seconds_once(launch); // the first launch also loads the kernel
  const int runs = std::clamp(static_cast<int>(0.5 / once), 1, 100);

  std::vector<cudaEvent_t> events(runs + 1);
  for (cudaEvent_t &event : events)
    require(cudaEventCreate(&event), "cudaEventCreate");
  require(cudaEventRecord(events[0]), "cudaEventRecord");
  for (int run = 0; run < runs; ++run) {
    launch();
    require(cudaEventRecord(events[run + 1]), "cudaEventRecord");
  }
  require(cudaDeviceSynchronize(), "kernel");

  std::vector<float> milliseconds(runs);
  for (int run = 0; run < runs; ++run)
    require(cudaEventElapsedTime(&milliseconds[run], events[run], events[run + 1]),
            "cudaEventElapsedTime");
  for (cudaEvent_t event : events)
    cudaEventDestroy(event);
  std::sort(milliseconds.begin(), milliseconds.end());
  return 1e3 * milliseconds[runs / 2];
}

/// Microseconds as a figure in 10^9 units per second.
inline double giga_per_second(double units, double microseconds) {
  return units / microseconds * 1e-3;
}

} // namespace sample
