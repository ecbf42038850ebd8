// Kernels of TileGym that its tests leave out, row by row: gradients of softmax, gelu and the norm,
// and forms of the norm and of gates that no launcher chooses. references.py gives the checkout.
#include "../run/run.h"

#include <gelu.cuh>
#include <rms_norm.cuh>
#include <silu_and_mul.cuh>
#include <softmax.cuh>
#include <swiglu.cuh>

static double other(std::size_t i) { return run::small(3 * i + 1); }
static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
// What a float knows of the result of a few operations, and of their rounding to T.
template <class T> constexpr double bound = run::tolerance<T> * 4;

template <class T> void softmax_gradients(const char *name) {
  constexpr int rows = 3, columns = 300, pitch = 304;
  auto soft = [](std::size_t i) { return std::exp(run::small(i)) / 900; };
  run::array<T> y(rows * pitch, soft), dy(rows * pitch, other), dx(rows * pitch),
      whole(rows * pitch);
  online_softmax_kernel_backward<T, 128><<<rows, 1>>>(dx, y, dy, pitch, pitch, pitch, columns);
  softmax_kernel_backward<T, 512><<<rows, 1>>>(whole, y, dy, pitch, pitch, pitch, columns);
  auto wanted = [&](std::size_t i) {
    const std::size_t row = i / pitch, column = i % pitch;
    double sum = 0;
    for (int j = 0; j < columns; ++j)
      sum += y[row * pitch + j] * dy[row * pitch + j];
    return column < columns ? y[i] * dy[i] - y[i] * sum : 0;
  };
  std::printf("%s ", name);
  run::expect("online_softmax_kernel_backward", dx, wanted, bound<T>);
  run::expect("softmax_kernel_backward", whole, wanted, bound<T>);
}

template <class T> void gelu_gradient(const char *name) {
  constexpr int n = 700;
  run::array<T> x(n, run::small), dy(n, other), dx(n);
  gelu_bwd_kernel<T, 256, 0><<<3, 1>>>(dy, x, dx, n);
  std::printf("%s ", name);
  run::expect(
      "gelu_bwd_kernel", dx,
      [&](std::size_t i) {
        const double v = x[i];
        const double inner = 0.7978845608028654 * (v + 0.044715 * v * v * v);
        const double cdf = 0.5 * (1 + std::tanh(inner));
        return dy[i] * (cdf + v * 0.3989422804014327 * std::exp(-0.5 * v * v));
      },
      bound<T>);
}

template <class T> void norms(const char *name) {
  constexpr int rows = 3, columns = 256;
  run::array<T> x(rows * columns, run::small), w(columns, other), y(rows * columns);
  run::array<float> rstd(rows);
  auto inverse = [&](std::size_t row) {
    double sum = 0;
    for (int j = 0; j < columns; ++j)
      sum += x[row * columns + j] * x[row * columns + j];
    return 1 / std::sqrt(sum / columns + 1e-5);
  };
  auto normed = [&](std::size_t i) { return x[i] * inverse(i / columns) * w[i % columns]; };
  std::printf("%s ", name);
  rms_norm_kernel_pv<T, T, rows, columns, columns><<<rows, 1>>>(x, w, y, rstd, 1e-5f);
  run::expect("rms_norm_kernel_pv", y, normed, bound<T>);
  run::expect("its factors", rstd, inverse, bound<float>);
  run::array<T> again(rows * columns);
  rms_norm_kernel_pv<T, T, rows, columns, columns><<<rows, 1>>>(x, w, again, nullptr, 1e-5f);
  run::expect("without factors", again, normed, bound<T>);
}

template <class T> void norm_gradient(const char *name) {
  constexpr int rows = 2, columns = 300, pitch = 304;
  run::array<T> x(rows * pitch, run::small), dy(rows * pitch, other), dx(rows * pitch);
  run::array<T> w(columns, [](std::size_t i) { return run::small(7 * i); });
  run::array<float> rstd(rows, [](std::size_t row) { return 0.75 + row; }), kept(rows * pitch);
  rms_norm_backward_dx_kernel<T, T, 128><<<rows, 1>>>(dx, dy, x, w, rstd, kept, pitch, columns);
  std::printf("%s ", name);
  run::expect(
      "rms_norm_backward_dx_kernel", dx,
      [&](std::size_t i) {
        const std::size_t row = i / pitch, column = i % pitch;
        double sum = 0;
        for (int j = 0; j < columns; ++j)
          sum += dy[row * pitch + j] * x[row * pitch + j] * w[j];
        const double r = rstd[row];
        return column < columns ? dy[i] * w[column] * r - x[i] * (r * r * r / columns * sum) : 0;
      },
      bound<T>);
  run::expect(
      "what the weights' gradient sums", kept,
      [&](std::size_t i) { return int(i % pitch) < columns ? dy[i] * x[i] * rstd[i / pitch] : 0; },
      bound<float>);
}

template <class T> void gates(const char *name) {
  constexpr int rows = 3, columns = 512;
  run::array<T> a(rows * columns, run::small), b(rows * columns, other), c(rows * columns);
  swiglu_forward_kernel_pv<T, rows, columns, 256><<<dim3(rows, 2), 1>>>(a, b, c);
  std::printf("%s ", name);
  run::expect(
      "swiglu_forward_kernel_pv", c, [&](std::size_t i) { return a[i] * sigmoid(a[i]) * b[i]; },
      bound<T>);
  constexpr int hidden = 200, stride = 2 * hidden;
  run::array<T> in(rows * stride, run::small), out(rows * hidden);
  silu_and_mul_kernel<T, 256><<<rows, 1>>>(in, out, stride, hidden);
  run::expect(
      "silu_and_mul_kernel", out,
      [&](std::size_t i) {
        const std::size_t at = i / hidden * stride + i % hidden;
        return in[at] * sigmoid(in[at]) * in[at + hidden];
      },
      bound<T>);
}

template <class T> void all(const char *name) {
  softmax_gradients<T>(name);
  gelu_gradient<T>(name);
  norms<T>(name);
  norm_gradient<T>(name);
  gates<T>(name);
}

int main() {
  all<float>("float");
  all<__half>("half");
  all<__nv_bfloat16>("bfloat16");
  return run::finish();
}
