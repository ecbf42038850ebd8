// long double in tile code has double's precision, also on a CPU; functions of double lose nothing
// beside it.
#include "run.h"
#include <cuda_tile.h>
#include <tessera/math.h>

namespace ct = cuda::tiles;

__tile_global__ void powers(double *o, double x) {
  long double y = x;
  o[0] = double(y * y - x);
  y = 1;
  for (int i = 0; i < 10; ++i)
    y = y * x + x / 3;
  o[1] = double(y);
  y += 1.0L / (1LL << 60);
  o[2] = double((y - o[1]) * (1LL << 60));
}

__tile_global__ void of_parameter(long double x, double *o) { o[0] = double(x * x - 0.01); }

constexpr int N = 1024;
__tile_global__ void functions(const double *x, double *tanhs, double *logs, double *squares) {
  auto at = ct::iota<ct::tile<int, ct::shape<N>>>();
  auto tile = ct::load(x + at);
  long double first = x[1];
  squares[0] = double(first * first - x[1]);
  ct::store(tanhs + at, ct::tanh(tile));
  ct::store(logs + at, tessera::math::log1p(tile));
  first = first * first;
  squares[1] = double(first - x[1]);
}

// Units in the last place, beyond the one that is promised.
template <class F> void expect_within_one(const char *name, run::array<double> &result, F exact) {
  result.fetch();
  int wrong = 0;
  for (int i = 0; i < N; ++i) {
    const double wanted = exact(i);
    wrong += result[i] != wanted && result[i] != std::nextafter(wanted, INFINITY) &&
             result[i] != std::nextafter(wanted, -INFINITY);
  }
  run::failures += wrong != 0;
  std::printf("%s: %d wrong\n", name, wrong);
}

int main() {
  run::array<double> out(3), parameter(1);
  const double x = 1.0 / 3;
  powers<<<1, 1>>>(out, x);
  volatile double y = 1;
  for (int i = 0; i < 10; ++i) {
    y = y * x;
    y = y + x / 3;
  }
  const auto less = [](double a) {
    volatile double square = a * a;
    return square - a;
  };
  run::expect(
      "powers", out, [&](auto i) { return i == 0   ? less(x)
                                          : i == 1 ? double(y)
                                                   : 0; }, 0.0);
  of_parameter<<<1, 1>>>(0.1, parameter);
  run::expect(
      "parameter", parameter,
      [](auto) {
        volatile double square = 0.1 * 0.1;
        return square - 0.01;
      },
      0.0);

  run::array<double> numbers(N, [](auto i) { return (i + 1) / 700.0; });
  run::array<double> tanhs(N), logs(N), squares(2);
  functions<<<1, 1>>>(numbers, tanhs, logs, squares);
  expect_within_one("tanh", tanhs, [&](int i) { return double(tanhl(numbers[i])); });
  expect_within_one("log1p", logs, [&](int i) { return double(log1pl(numbers[i])); });
  run::expect("squares", squares, [&](auto) { return less(numbers[1]); }, 0.0);
  return run::finish();
}
