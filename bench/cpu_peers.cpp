// The peers of the samples on a CPU: a plain OpenMP loop and OpenBLAS, timed as the samples time
// themselves.
//
// Prints the lines that the samples would print.
#include <algorithm>
#include <cblas.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

template <class F> double medianMicroseconds(F work) {
  using Clock = std::chrono::steady_clock;
  work();
  std::vector<double> times;
  const auto deadline = Clock::now() + std::chrono::milliseconds(500);
  do {
    const auto start = Clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  } while (Clock::now() < deadline);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void add(std::size_t n) {
  std::vector<float> a(n, 1), b(n, 2), c(n);
  const double time = medianMicroseconds([&] {
    const float *x = a.data(), *y = b.data();
    float *z = c.data();
#pragma omp parallel for simd
    for (std::size_t i = 0; i < n; ++i)
      z[i] = x[i] + y[i];
  });
  std::printf("vector_add %zu: %.1f us, %.1f GB/s\n", n, time, 12e-3 * n / time);
}

void multiply(int n) {
  const std::size_t size = std::size_t(n) * n;
  std::vector<float> a(size, 0.5f), b(size, 0.25f), c(size);
  const double time = medianMicroseconds([&] {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a.data(), n, b.data(), n, 0,
                c.data(), n);
  });
  std::printf("matmul %dx%dx%d f32: %.1f us, %.3f TFLOP/s\n", n, n, n, time,
              2e-6 * size * n / time);
}

} // namespace

int main() {
  add(std::size_t{1} << 26);
  multiply(1024);
}
