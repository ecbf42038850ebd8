// Elementwise mathematics in each floating-point type, against the host's in double.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <class T> __tile_global__ void functions(const T *x, T *y) {
  auto lane = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto a = ct::load(x + lane);
  T *out = y;
  auto keep = [&](auto value) {
    ct::store(out + lane, value);
    out += 128;
  };
  auto positive = ct::abs(a) + ct::full<decltype(a)>(T(0.5f));
  keep(ct::exp(a));
  keep(ct::exp2(a));
  keep(ct::log(positive));
  keep(ct::sqrt(positive));
  keep(ct::rsqrt(positive));
  keep(ct::fma(a, positive, a));
  keep(ct::min(a, positive));
  keep(ct::max(a, -a));
  keep(a / positive);
}

template <class T> void check(const char *name, double relative = run::tolerance<T>) {
  run::array<T> x(128, [](auto i) { return float(run::small(i)); }), y(9 * 128);
  functions<T><<<1, 1>>>(x, y);
  run::expect(
      name, y,
      [&](auto i) {
        double a = x[i % 128], p = std::abs(a) + 0.5;
        const double results[] = {std::exp(a),     std::exp2(a),     std::log(p),
                                  std::sqrt(p),    1 / std::sqrt(p), a * p + a,
                                  std::fmin(a, p), std::abs(a),      a / p};
        return results[i / 128];
      },
      relative);
}

int main() {
  check<float>("f32");
  check<double>("f64");
  check<__half>("f16");
  check<__nv_bfloat16>("bf16");
  return run::finish();
}
