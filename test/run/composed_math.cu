// Functions of C on a scalar's parts, at ordinary numbers and at the ends of their types: frexp,
// ldexp, modf, logb, ilogb, remainder, fdim, and rounding to integers. All but powi are exact.
#include "run.h"

#include <cuda_tile.h>

#include <limits>

constexpr int functions = 10, whole_functions = 6;

template <class T>
__tile_global__ void real_results(const T *x, const T *y, const int *n, T *o, int count) {
  constexpr bool is_float = sizeof(T) == 4;
  for (int i = 0; i < count; ++i) {
    T whole;
    int power;
    T *r = o + i * functions;
    if constexpr (is_float) {
      r[0] = __builtin_frexpf(x[i], &power);
      r[1] = __builtin_ldexpf(x[i], n[i]);
      r[2] = __builtin_modff(x[i], &whole);
      r[4] = __builtin_logbf(x[i]);
      r[5] = __builtin_remainderf(x[i], y[i]);
      r[6] = __builtin_fdimf(x[i], y[i]);
      r[7] = __builtin_scalbnf(y[i], -n[i]);
      r[8] = __builtin_scalblnf(y[i], n[i]);
    } else {
      r[0] = __builtin_frexp(x[i], &power);
      r[1] = __builtin_ldexp(x[i], n[i]);
      r[2] = __builtin_modf(x[i], &whole);
      r[4] = __builtin_logb(x[i]);
      r[5] = __builtin_remainder(x[i], y[i]);
      r[6] = __builtin_fdim(x[i], y[i]);
      r[7] = __builtin_scalbn(y[i], -n[i]);
      r[8] = __builtin_scalbln(y[i], n[i]);
    }
    r[3] = whole;
    r[9] = T(power);
  }
}

__tile_global__ void whole_results(const double *x, long *o, int count) {
  for (int i = 0; i < count; ++i) {
    long *r = o + i * whole_functions;
    r[0] = __builtin_lround(x[i]);
    r[1] = __builtin_lrint(x[i]);
    r[2] = __builtin_llroundf(float(x[i]));
    r[3] = __builtin_llrintf(float(x[i]));
    r[4] = __builtin_ilogb(x[i]);
    r[5] = __builtin_ilogbf(float(x[i]));
  }
}

__tile_global__ void powers(const double *x, double *o, int count) {
  for (int i = 0; i < count; ++i) {
    o[2 * i] = __builtin_powi(x[i], i - 3);
    o[2 * i + 1] = __builtin_powif(float(x[i]), 3 - i);
  }
}

template <class T> void check(const char *name) {
  using limits = std::numeric_limits<T>;
  const T tiny = limits::denorm_min(), least = limits::min(), most = limits::max(),
          infinity = limits::infinity(), nan = limits::quiet_NaN();
  const std::vector<T> xs = {T(2.5), T(-3.75), 1,    -1,   0,        -T(0),     T(1e10), tiny,
                             -tiny,  least,    most, 7,    infinity, -infinity, nan,     T(5.5),
                             most,   T(8),     T(6), T(9), tiny * 5, T(0.1)};
  const std::vector<T> ys = {1,     2, T(0.3),   3,       5,        7,        T(1e-3), tiny * 2,
                             tiny,  3, most / 2, -2,      2,        infinity, 1,       0,
                             least, 6, T(4),     T(-2.5), tiny * 2, infinity};
  const int ns[] = {0,  1,    -1,    127, 128,  1023, 1024, -126,  -149, -1022, -1074,
                    -1, 2000, -2000, 5,   2098, -300, 300,  -1075, -150, 277,   -2147483647};
  run::array<T> x(xs.size(), [&](auto i) { return xs[i]; });
  run::array<T> y(ys.size(), [&](auto i) { return ys[i]; });
  run::array<int> n(xs.size(), [&](auto i) { return ns[i]; });
  run::array<T> o(xs.size() * functions);
  real_results<<<1, 1>>>((const T *)x.device, (const T *)y.device, (const int *)n.device, o.device,
                         int(xs.size()));
  auto wanted = [&](std::size_t at) -> T {
    const std::size_t i = at / functions;
    T whole;
    int power = 0;
    const T mantissa = std::frexp(xs[i], &power), part = std::modf(xs[i], &whole);
    switch (at % functions) {
    case 0: return mantissa;
    case 1: return std::ldexp(xs[i], ns[i]);
    case 2: return part;
    case 3: return whole;
    case 4: return std::logb(xs[i]);
    case 5: return std::remainder(xs[i], ys[i]);
    case 6: return std::fdim(xs[i], ys[i]);
    case 7: return std::scalbn(ys[i], -ns[i]);
    case 8: return std::scalbln(ys[i], ns[i]);
    default: return T(power);
    }
  };
  o.fetch();
  for (std::size_t i = 0; i < o.size; ++i) {
    const T got = o.host[i], right = wanted(i);
    const bool is_same = std::isnan(right)
                             ? std::isnan(got)
                             : got == right && std::signbit(got) == std::signbit(right);
    if (!is_same)
      std::printf("wrong: function %d of %.9g, %.9g, %d is %.17g, should be %.17g\n",
                  int(i % functions), double(xs[i / functions]), double(ys[i / functions]),
                  ns[i / functions], double(got), double(right)),
          ++run::failures;
  }
  std::printf("%s: %zu results\n", name, o.size);
}

int main() {
  check<float>("float");
  check<double>("double");
  const std::vector<double> xs = {2.5, -2.5, 0.5, -0.5, 1e6 + 0.5, -3.49, 1234567.875, 0.1, -7};
  run::array<double> x(xs.size(), [&](auto i) { return xs[i]; });
  run::array<long> o(xs.size() * whole_functions);
  whole_results<<<1, 1>>>(x.device, o.device, int(xs.size()));
  run::expect("whole", o, [&](std::size_t at) {
    const double v = xs[at / whole_functions];
    const long results[] = {std::lround(v),        std::lrint(v), std::llround(float(v)),
                            std::llrint(float(v)), std::ilogb(v), std::ilogb(float(v))};
    return results[at % whole_functions];
  });
  run::array<double> p(xs.size() * 2);
  powers<<<1, 1>>>(x.device, p.device, int(xs.size()));
  run::expect(
      "powers", p,
      [&](std::size_t at) {
        const double v = xs[at / 2];
        const int n = int(at / 2) - 3;
        return at % 2 ? std::pow(double(float(v)), -n) : std::pow(v, n);
      },
      1e-6);
  return run::finish();
}
