// The peers of the samples on a CPU: plain OpenMP loops and OpenBLAS, timed as the samples time
// themselves.
//
// usage: peers WORK      prints the line that the sample WORK would print
#include <algorithm>
#include <bit>
#include <cblas.h>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>
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

using bf16 = std::uint16_t;

inline float read(bf16 x) { return std::bit_cast<float>(std::uint32_t(x) << 16); }
inline bf16 write(float x) { // of a number
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return bf16((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

std::vector<bf16> randomVector(std::size_t size, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> numbers(-1, 1);
  std::vector<bf16> x(size);
  for (bf16 &one : x)
    one = write(numbers(generator));
  return x;
}

constexpr int rows = 4096, columns = 1024;
constexpr std::size_t size = std::size_t(rows) * columns;

// Times work(x, y, row), which makes row y of row x, and compares y with wanted(x, column).
template <class Row, class Wanted> void measureRows(const char *name, Row work, Wanted wanted) {
  const std::vector<bf16> x = randomVector(size, 1);
  std::vector<bf16> y(size);
  const double time = medianMicroseconds([&] {
#pragma omp parallel for
    for (int row = 0; row < rows; ++row)
      work(&x[std::size_t(row) * columns], &y[std::size_t(row) * columns]);
  });
  for (std::size_t i = 0; i < size; i += 1021) {
    const double right = wanted(&x[i / columns * columns], int(i % columns));
    if (!(std::abs(read(y[i]) - right) <= 1e-2 * std::abs(right) + 1e-3 / columns)) {
      std::fprintf(stderr, "error: %s of element %zu is %g, not %g\n", name, i, read(y[i]), right);
      std::exit(1);
    }
  }
  std::printf("%s %dx%d: %.1f us, %.1f GB/s\n", name, rows, columns, time, 4e-3 * size / time);
}

void softmax() {
  const auto work = [](const bf16 *x, bf16 *y) {
    float numerator[columns], maximum = -INFINITY, sum = 0;
#pragma omp simd reduction(max : maximum)
    for (int i = 0; i < columns; ++i)
      maximum = std::max(maximum, read(x[i]));
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < columns; ++i)
      sum += numerator[i] = std::exp(read(x[i]) - maximum);
    const float scale = 1 / sum;
#pragma omp simd
    for (int i = 0; i < columns; ++i)
      y[i] = write(numerator[i] * scale);
  };
  measureRows("softmax", work, [](const bf16 *x, int column) {
    double sum = 0;
    for (int i = 0; i < columns; ++i)
      sum += std::exp(double(read(x[i])));
    return std::exp(double(read(x[column]))) / sum;
  });
}

void layerNorm() {
  const std::vector<bf16> weight = randomVector(columns, 2), bias = randomVector(columns, 3);
  constexpr float epsilon = 1e-5f;
  const auto work = [&](const bf16 *x, bf16 *y) {
    const bf16 *w = weight.data(), *b = bias.data();
    float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < columns; ++i)
      sum += read(x[i]);
    const float mean = sum / columns;
#pragma omp simd reduction(+ : squares)
    for (int i = 0; i < columns; ++i)
      squares += (read(x[i]) - mean) * (read(x[i]) - mean);
    const float scale = 1 / std::sqrt(squares / columns + epsilon);
#pragma omp simd
    for (int i = 0; i < columns; ++i)
      y[i] = write((read(x[i]) - mean) * scale * read(w[i]) + read(b[i]));
  };
  measureRows("layer_norm", work, [&](const bf16 *x, int column) {
    double sum = 0, squares = 0;
    for (int i = 0; i < columns; ++i)
      sum += read(x[i]);
    for (int i = 0; i < columns; ++i)
      squares += std::pow(read(x[i]) - sum / columns, 2);
    return (read(x[column]) - sum / columns) / std::sqrt(squares / columns + epsilon) *
               read(weight[column]) +
           read(bias[column]);
  });
}

} // namespace

int main(int, char **words) {
  const std::string_view work = words[1];
  if (work == "vector_add")
    add(std::size_t{1} << 26);
  else if (work == "matmul")
    multiply(1024);
  else if (work == "softmax")
    softmax();
  else if (work == "layer_norm")
    layerNorm();
}
