// The compiler's builtins on scalars of tile code, whose arguments are known at run time.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

__tile_global__ void floats(const double *in, double *out, int power) {
  const int i = int(ct::bid().x);
  const double x = in[i];
  double *r = out + 16 * i;
  r[0] = __builtin_powi(x, power);
  r[1] = __builtin_ldexp(x, power);
  r[2] = double(__builtin_lround(x));
  r[3] = double(__builtin_lrint(x));
  r[4] = __builtin_ilogb(x);
  r[5] = __builtin_logb(x);
  r[6] = __builtin_scalbn(x, -power);
  r[7] = __builtin_hypot(x, 2.0);
  r[8] = __builtin_fmod(x, 0.75);
  r[9] = __builtin_rint(x);
  r[10] = __builtin_round(x);
  r[11] = __builtin_trunc(x);
  r[12] = __builtin_copysign(3.0, x);
  int exponent;
  r[13] = __builtin_frexp(x, &exponent);
  r[14] = exponent;
  double whole;
  r[15] = __builtin_modf(x, &whole);
  r[15] += 2 * whole;
}

__tile_global__ void classes(const float *in, int *out) {
  const int i = int(ct::bid().x);
  const float x = in[i];
  out[i] = (__builtin_isnan(x) ? 1 : 0) + (__builtin_isinf(x) ? 2 : 0) +
           (__builtin_isfinite(x) ? 4 : 0) + (__builtin_signbit(x) ? 8 : 0);
}

int main() {
  const double x[] = {0.3, -2.5, 10, -0.75, 12.125, 1.0};
  const int count = sizeof(x) / sizeof(*x), power = 3;
  run::array<double> in(count, [&](size_t i) { return x[i]; }), out(16 * count);
  floats<<<count, 1>>>(in.device, out.device, power);
  run::expect("floats", out, [&](size_t n) {
    const double v = x[n / 16];
    int exponent;
    double whole;
    const double fraction = std::frexp(v, &exponent), part = std::modf(v, &whole);
    const double wanted[] = {v * v * v,
                             std::ldexp(v, power),
                             double(std::lround(v)),
                             double(std::lrint(v)),
                             double(std::ilogb(v)),
                             std::logb(v),
                             std::scalbn(v, -power),
                             std::hypot(v, 2.0),
                             std::fmod(v, 0.75),
                             std::rint(v),
                             std::round(v),
                             std::trunc(v),
                             std::copysign(3.0, v),
                             fraction,
                             double(exponent),
                             part + 2 * whole};
    return wanted[n % 16];
  });

  const float inf = INFINITY, y[] = {0.f, -0.f, inf, -inf, NAN, 1.f, -1e-40f};
  const int wanted[] = {4, 12, 2, 10, 1, 4, 12};
  run::array<float> special(7, [&](size_t i) { return y[i]; });
  run::array<int> found(7);
  classes<<<7, 1>>>(special.device, found.device);
  run::expect("classes", found, [&](size_t i) { return wanted[i]; });
  return run::finish();
}
