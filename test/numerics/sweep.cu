// The largest error of each math function, type and modifier, in units of the last place, over a
// dense sweep of its arguments: every number of 16 bits; of 32 and 64 bits as many as asked for,
// half of them spread over all codes, half over the numbers from -128 to 128.
//
//     tessera run --target=cpu test/numerics/sweep.cu -- [COUNT]
//
// The reference is MPFR's function, in 60 bits more than the type has. For a GPU the program is
// built by the plugin and linked with `-l:libmpfr.a -l:libgmp.a`: it runs where no MPFR is. A line
// is `FUNCTION TYPE MODIFIER: ERROR of BOUND at ARGUMENTS`; BOUND is CUDA's for the function,
// counted from the correctly rounded result, so that ERROR may be half a unit more. Exit status 1
// where one is exceeded.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cuda_tile.h>
#include <mpfr.h>
#include <tessera/math.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#ifndef __CUDA_ARCH__
#pragma comment(lib, "mpfr")
#endif

namespace ct = cuda::tiles;
namespace tmath = tessera::math;

constexpr int width = 1024;
constexpr mpfr_rnd_t nearest = MPFR_RNDN;

// ---- formats --------------------------------------------------------------------------------
template <class T> struct format;
template <> struct format<float> {
  using code = std::uint32_t;
  static constexpr int precision = 24, least = -126, most = 127;
  static constexpr const char *name = "float";
};
template <> struct format<double> {
  using code = std::uint64_t;
  static constexpr int precision = 53, least = -1022, most = 1023;
  static constexpr const char *name = "double";
};
template <> struct format<__half> {
  using code = std::uint16_t;
  static constexpr int precision = 11, least = -14, most = 15;
  static constexpr const char *name = "half";
};
template <> struct format<__nv_bfloat16> {
  using code = std::uint16_t;
  static constexpr int precision = 8, least = -126, most = 127;
  static constexpr const char *name = "bf16";
};

template <class T> T from_code(typename format<T>::code code) {
  T x;
  std::memcpy(&x, &code, sizeof x);
  return x;
}
template <class T> double number(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return x;
  else
    return static_cast<float>(x);
}

// ---- functions ------------------------------------------------------------------------------
// Where a bound holds: everywhere; without subnormals; and for divisors up to 2^126.
enum class mode { plain, flush, quotient };

// EXACT sets r to the function of x and y.
#define FUNCTION(NAME, CALL, EXACT)                                                                \
  struct NAME {                                                                                    \
    template <class X> static __tile__ X compute(X x, [[maybe_unused]] X y) { return CALL; }       \
    static void exact(mpfr_t r, mpfr_t x, [[maybe_unused]] mpfr_t y) { EXACT; }                    \
  };
#define WITH_MODIFIER(NAME, OTHER, CALL)                                                           \
  struct NAME : OTHER {                                                                            \
    template <class X> static __tile__ X compute(X x, [[maybe_unused]] X y) { return CALL; }       \
  };
FUNCTION(do_exp, ct::exp(x), mpfr_exp(r, x, nearest))
FUNCTION(do_exp2, ct::exp2(x), mpfr_exp2(r, x, nearest))
FUNCTION(do_log, ct::log(x), mpfr_log(r, x, nearest))
FUNCTION(do_log2, ct::log2(x), mpfr_log2(r, x, nearest))
FUNCTION(do_sin, ct::sin(x), mpfr_sin(r, x, nearest))
FUNCTION(do_cos, ct::cos(x), mpfr_cos(r, x, nearest))
FUNCTION(do_tan, ct::tan(x), mpfr_tan(r, x, nearest))
FUNCTION(do_sinh, ct::sinh(x), mpfr_sinh(r, x, nearest))
FUNCTION(do_cosh, ct::cosh(x), mpfr_cosh(r, x, nearest))
FUNCTION(do_tanh, ct::tanh(x), mpfr_tanh(r, x, nearest))
FUNCTION(do_sqrt, ct::sqrt(x), mpfr_sqrt(r, x, nearest))
// mpfr_rec_sqrt has another sign at -0.
FUNCTION(do_rsqrt, ct::rsqrt(x), (mpfr_sqrt(r, x, nearest), mpfr_ui_div(r, 1, r, nearest)))
FUNCTION(do_pow, ct::pow(x, y), mpfr_pow(r, x, y, nearest))
FUNCTION(do_atan2, ct::atan2(y, x), mpfr_atan2(r, y, x, nearest))
FUNCTION(do_div, ct::div(x, y), mpfr_div(r, x, y, nearest))
FUNCTION(do_acos, tmath::acos(x), mpfr_acos(r, x, nearest))
FUNCTION(do_asin, tmath::asin(x), mpfr_asin(r, x, nearest))
FUNCTION(do_atan, tmath::atan(x), mpfr_atan(r, x, nearest))
FUNCTION(do_acosh, tmath::acosh(x), mpfr_acosh(r, x, nearest))
FUNCTION(do_asinh, tmath::asinh(x), mpfr_asinh(r, x, nearest))
FUNCTION(do_atanh, tmath::atanh(x), mpfr_atanh(r, x, nearest))
FUNCTION(do_expm1, tmath::expm1(x), mpfr_expm1(r, x, nearest))
FUNCTION(do_log1p, tmath::log1p(x), mpfr_log1p(r, x, nearest))
FUNCTION(do_log10, tmath::log10(x), mpfr_log10(r, x, nearest))
FUNCTION(do_fmod, tmath::fmod(x, y), mpfr_fmod(r, x, y, nearest))
FUNCTION(do_hypot, tmath::hypot(x, y), mpfr_hypot(r, x, y, nearest))
WITH_MODIFIER(do_exp_fast, do_exp, ct::exp(x, ct::round_approximate_t()))
WITH_MODIFIER(do_exp2_flush, do_exp2, ct::exp2(x, ct::round_subnormals_to_zero_t()))
WITH_MODIFIER(do_tanh_fast, do_tanh, ct::tanh(x, ct::round_approximate_t()))
WITH_MODIFIER(do_sqrt_fast, do_sqrt, ct::sqrt(x, ct::round_approximate_t()))
WITH_MODIFIER(do_rsqrt_flush, do_rsqrt, ct::rsqrt(x, ct::round_subnormals_to_zero_t()))
WITH_MODIFIER(do_div_fast, do_div, ct::div(x, y, ct::round_approximate_t()))
WITH_MODIFIER(do_div_full, do_div, ct::div(x, y, ct::round_full_t()))

template <class F, class T> __tile_global__ void sweep(const T *x, const T *y, T *out) {
  auto i = int(ct::bid().x) * width + ct::iota<ct::tile<int, ct::shape<width>>>();
  ct::store(out + i, F::compute(ct::load(x + i), ct::load(y + i)));
}

// ---- errors ---------------------------------------------------------------------------------
// |got - exact| in units of the last place of exact in T; exact may change.
template <class T> double error_of(double got, mpfr_t exact) {
  if (mpfr_nan_p(exact))
    return std::isnan(got) ? 0 : INFINITY;
  if (std::isnan(got))
    return INFINITY;
  // From here on the nearest number is an infinity.
  const long double beyond =
      std::ldexp(2 - std::ldexp(1.0L, -format<T>::precision), format<T>::most);
  if (std::fabs(mpfr_get_ld(exact, MPFR_RNDZ)) >= beyond) {
    const int sign = mpfr_signbit(exact) ? -1 : 1;
    if (std::isinf(got))
      return sign * got > 0 ? 0 : INFINITY;
    mpfr_set_ld(exact, sign * beyond, nearest);
  }
  if (std::isinf(got)) // counted as the number behind the greatest
    got = std::copysign(std::ldexp(1.0, format<T>::most), got) * 2;
  const int exponent = mpfr_zero_p(exact)
                           ? format<T>::least
                           : std::max<int>(mpfr_get_exp(exact) - 1, format<T>::least);
  mpfr_sub_d(exact, exact, got, nearest);
  mpfr_mul_2si(exact, exact, format<T>::precision - 1 - exponent, nearest);
  return std::fabs(mpfr_get_d(exact, nearest));
}

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

template <class T> struct arguments {
  std::vector<T> x, y;
  T *device_x, *device_y, *device_out;

  explicit arguments(std::size_t count) {
    if (sizeof(T) == 2)
      count = 65536;
    for (std::size_t i = 0; i < count; ++i) {
      x.push_back(pick(i, i));
      y.push_back(pick(i, mixed(i) >> 8));
    }
    const std::size_t bytes = count * sizeof(T);
    cudaMalloc(reinterpret_cast<void **>(&device_x), bytes);
    cudaMalloc(reinterpret_cast<void **>(&device_y), bytes);
    cudaMalloc(reinterpret_cast<void **>(&device_out), bytes);
    cudaMemcpy(device_x, x.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(device_y, y.data(), bytes, cudaMemcpyHostToDevice);
  }
  ~arguments() {
    for (T *p : {device_x, device_y, device_out})
      cudaFree(p);
  }

private:
  static T pick(std::size_t i, std::uint64_t seed) {
    using code = typename format<T>::code;
    if (sizeof(T) == 2)
      return from_code<T>(static_cast<code>(seed));
    const std::uint64_t bits = mixed(seed);
    if (i % 2)
      return T(double(static_cast<std::int64_t>(bits)) * 0x1p-56); // -128 to 128
    return from_code<T>(static_cast<code>(bits));
  }
};

int failures = 0;

template <class F, class T> void check(const char *name, const char *modifier, double bound,
                                       const arguments<T> &in, mode m = mode::plain) {
  const std::size_t count = in.x.size();
  std::vector<T> out(count);
  sweep<F, T><<<unsigned(count / width), 1>>>(in.device_x, in.device_y, in.device_out);
  cudaMemcpy(out.data(), in.device_out, count * sizeof(T), cudaMemcpyDeviceToHost);
  const double least = std::ldexp(1.0, format<T>::least);
  mpfr_t wideX, wideY, exact;
  mpfr_inits2(53, wideX, wideY, nullptr);
  mpfr_init2(exact, format<T>::precision + 60);
  double worst = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = number(in.x[i]), y = number(in.y[i]), got = number(out[i]);
    if (m != mode::plain && (std::fabs(x) < least || std::fabs(y) < least))
      continue;
    if (m == mode::quotient && std::fabs(y) > 0x1p126)
      continue;
    mpfr_set_d(wideX, x, nearest);
    mpfr_set_d(wideY, y, nearest);
    F::exact(exact, wideX, wideY);
    if (m != mode::plain && std::fabs(mpfr_get_d(exact, nearest)) < least)
      continue;
    if (const double error = error_of<T>(got, exact); error > worst)
      worst = error, at = i;
  }
  mpfr_clears(wideX, wideY, exact, nullptr);
  const bool isWithin = worst <= bound + 0.5;
  failures += !isWithin;
  std::printf("%s %s %s: %.3f of %g at %a, %a%s\n", name, format<T>::name, modifier, worst, bound,
              number(in.x[at]), number(in.y[at]), isWithin ? "" : ", too much");
}

// The bounds of the CUDA C++ Programming Guide for float and double; half and bf16 are computed in
// float and rounded once more.
template <class T> void check_all(std::size_t count) {
  arguments<T> in(count);
  constexpr bool isSmall = sizeof(T) == 2;
  auto bound = [](double ofFloat, double ofDouble) {
    return isSmall ? 1 : std::is_same_v<T, float> ? ofFloat : ofDouble;
  };
  check<do_exp>("exp", "full", bound(2, 1), in);
  check<do_exp2>("exp2", "-", bound(2, 1), in);
  check<do_log>("log", "-", bound(1, 1), in);
  check<do_log2>("log2", "-", bound(1, 1), in);
  check<do_sin>("sin", "-", bound(2, 2), in);
  check<do_cos>("cos", "-", bound(2, 2), in);
  check<do_tan>("tan", "-", bound(4, 2), in);
  check<do_sinh>("sinh", "-", bound(3, 2), in);
  check<do_cosh>("cosh", "-", bound(2, 1), in);
  check<do_tanh>("tanh", "full", bound(2, 1), in);
  check<do_sqrt>("sqrt", "-", 0, in);
  check<do_rsqrt>("rsqrt", "-", bound(2, 1), in);
  check<do_pow>("pow", "-", bound(4, 2), in);
  check<do_atan2>("atan2", "-", bound(3, 2), in);
  check<do_div>("div", "-", 0, in);
  check<do_acos>("acos", "-", bound(2, 2), in);
  check<do_asin>("asin", "-", bound(2, 2), in);
  check<do_atan>("atan", "-", bound(2, 2), in);
  check<do_acosh>("acosh", "-", bound(4, 3), in);
  check<do_asinh>("asinh", "-", bound(3, 3), in);
  check<do_atanh>("atanh", "-", bound(3, 2), in);
  check<do_expm1>("expm1", "-", bound(1, 1), in);
  check<do_log1p>("log1p", "-", bound(1, 1), in);
  check<do_log10>("log10", "-", bound(2, 1), in);
  check<do_fmod>("fmod", "-", 0, in);
  check<do_hypot>("hypot", "-", bound(3, 2), in);
}

// What only float has. The bounds are those of PTX's approximations: exp is 2 to the x log2(e),
// whose argument has been rounded, 2 + 1.173 |x| units.
void check_float(std::size_t count) {
  arguments<float> in(count);
  check<do_exp2_flush>("exp2", "flush", 2, in, mode::flush);
  check<do_rsqrt_flush>("rsqrt", "flush", 2, in, mode::flush);
  check<do_exp_fast>("exp", "approximate", 2 + 1.173 * 104, in, mode::flush);
  check<do_tanh_fast>("tanh", "approximate", 0x1p13, in, mode::flush);
  check<do_sqrt_fast>("sqrt", "approximate", 1, in, mode::flush);
  check<do_div_fast>("div", "approximate", 2, in, mode::quotient);
  check<do_div_full>("div", "full", 2, in, mode::flush);
}

int main(int argc, char **argv) {
  std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1u << 20;
  count = (count + width - 1) / width * width;
  check_all<__half>(count);
  check_all<__nv_bfloat16>(count);
  check_all<float>(count);
  check_float(count);
  check_all<double>(count);
  return failures != 0;
}
