// Functions of the C library on scalars of tile code, where the compiler has them built in.
#include "run.h"
#include <cuda_tile.h>

#define FUNCTIONS(X, F)                                                                            \
  X(trunc, __builtin_trunc##F(x))                                                                  \
  X(round, __builtin_round##F(x))                                                                  \
  X(rint, __builtin_rint##F(x))                                                                    \
  X(nearbyint, __builtin_nearbyint##F(x))                                                          \
  X(ceil, __builtin_ceil##F(x))                                                                    \
  X(floor, __builtin_floor##F(x))                                                                  \
  X(fabs, __builtin_fabs##F(x))                                                                    \
  X(sqrt, __builtin_sqrt##F(u))                                                                    \
  X(cbrt, __builtin_cbrt##F(x))                                                                    \
  X(exp, __builtin_exp##F(x))                                                                      \
  X(exp2, __builtin_exp2##F(x))                                                                    \
  X(exp10, __builtin_exp10##F(x))                                                                  \
  X(expm1, __builtin_expm1##F(x))                                                                  \
  X(log, __builtin_log##F(u))                                                                      \
  X(log2, __builtin_log2##F(u))                                                                    \
  X(log10, __builtin_log10##F(u))                                                                  \
  X(log1p, __builtin_log1p##F(u))                                                                  \
  X(sin, __builtin_sin##F(x))                                                                      \
  X(cos, __builtin_cos##F(x))                                                                      \
  X(tan, __builtin_tan##F(x))                                                                      \
  X(asin, __builtin_asin##F(x / 4))                                                                \
  X(acos, __builtin_acos##F(x / 4))                                                                \
  X(atan, __builtin_atan##F(x))                                                                    \
  X(sinh, __builtin_sinh##F(x))                                                                    \
  X(cosh, __builtin_cosh##F(x))                                                                    \
  X(tanh, __builtin_tanh##F(x))                                                                    \
  X(asinh, __builtin_asinh##F(x))                                                                  \
  X(acosh, __builtin_acosh##F(u + 1))                                                              \
  X(atanh, __builtin_atanh##F(x / 4))                                                              \
  X(erf, __builtin_erf##F(x))                                                                      \
  X(erfc, __builtin_erfc##F(x))                                                                    \
  X(pow, __builtin_pow##F(u, x))                                                                   \
  X(atan2, __builtin_atan2##F(x, u))                                                               \
  X(copysign, __builtin_copysign##F(u, x))                                                         \
  X(hypot, __builtin_hypot##F(x, u))                                                               \
  X(fmod, __builtin_fmod##F(x, u))                                                                 \
  X(fmin, __builtin_fmin##F(x, u))                                                                 \
  X(fmax, __builtin_fmax##F(x, u))                                                                 \
  X(fma, __builtin_fma##F(x, u, x))

#define STORE(NAME, ...) result[k++ * n + i] = __VA_ARGS__;
#define NAME_OF(NAME, ...) #NAME,
#define VALUE_OF(NAME, ...) __VA_ARGS__,

// u is x without its sign, plus a half: what roots and logarithms take.
__tile_global__ void floats(const float *values, float *result, int n) {
  for (int i = 0; i < n; ++i) {
    const float x = values[i], u = __builtin_fabsf(x) + 0.5f;
    int k = 0;
    FUNCTIONS(STORE, f)
  }
}
__tile_global__ void doubles(const double *values, double *result, int n) {
  for (int i = 0; i < n; ++i) {
    const double x = values[i], u = __builtin_fabs(x) + 0.5;
    int k = 0;
    FUNCTIONS(STORE, )
  }
}

template <class T, class K> void check(const char *type, K kernel) {
  const char *const names[] = {FUNCTIONS(NAME_OF, )};
  constexpr int n = 32, count = sizeof names / sizeof *names;
  run::array<T> x(n, [](auto i) { return run::small(i) + 0.015625; }), y(n * count);
  kernel(x, y, n);
  auto wanted = [&](auto i) {
    const double x = run::small(i % n) + 0.015625, u = std::fabs(x) + 0.5;
    const double all[] = {FUNCTIONS(VALUE_OF, )};
    return all[i / n];
  };
  run::expect(type, y, wanted);
  // expect() measures by the largest of all; here every result by its own size.
  for (int i = 0; i < n * count; ++i)
    if (!run::near(y[i], wanted(i), run::tolerance<T> * std::fmax(std::abs(wanted(i)), 1))) {
      std::printf("wrong: %s of %g is %.9g, should be %.9g\n", names[i / n], x[i % n], y[i],
                  wanted(i));
      ++run::failures;
    }
}

// The builtins' questions about a number, and negations of them.
template <class T> __tile_global__ void classes(const T *x, int *o) {
  for (int i = 0; i < 8; ++i) {
    o[i] = __builtin_isnan(x[i]) + 2 * __builtin_isinf(x[i]) + 4 * __builtin_isfinite(x[i]) +
           8 * (__builtin_signbit(x[i]) != 0);
    if (!__builtin_isnan(x[i]))
      o[i] += 16;
    if (!__builtin_isinf(x[i]))
      o[i] += 32;
    if (!__builtin_isfinite(x[i]))
      o[i] += 64;
  }
}
template <class T> void check_classes(const char *type) {
  const T numbers[] = {1, 0, T(-0.0), T(INFINITY), T(-INFINITY), T(NAN), T(-1e-40), T(-1e38)};
  run::array<T> x(8, [&](auto i) { return numbers[i]; });
  run::array<int> o(8);
  classes<<<1, 1>>>(static_cast<const T *>(x), static_cast<int *>(o));
  run::expect(type, o, [&](auto i) {
    const T n = numbers[i];
    return std::isnan(n) ? 1 + 32 + 64
                         : (std::isinf(n) ? 2 + 64 : 4 + 32) + (std::signbit(n) ? 8 : 0) + 16;
  });
}

int main() {
  check_classes<float>("classes of f32");
  check_classes<double>("classes of f64");
  check<float>("f32", [](auto &x, auto &y, int n) { floats<<<1, 1>>>(x, y, n); });
  check<double>("f64", [](auto &x, auto &y, int n) { doubles<<<1, 1>>>(x, y, n); });
  return run::finish();
}
