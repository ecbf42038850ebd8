// The functions and operators of Python's numbers (tessera/math.h) on tiles and scalars: those that
// Tile C++ has not, divisions with their types, complex numbers of both widths.
#include "run.h"

#include <cuda_tile.h>
#include <tessera/math.h>

#include <complex>
#include <cstdint>

namespace ct = cuda::tiles;
namespace py = tessera::math;
using namespace ct::literals;

constexpr int n = 32;
template <class T> using tile = ct::tile<T, ct::shape<n>>;

// ---- which type a division has ----------------------------------------------------------------
// True division: as wide as the wider operand, at least 32 bits.
template <class L, class R, class T> constexpr bool divides =
    std::is_same_v<py::truediv_t<L, R>, T>;
static_assert(divides<bool, bool, float> && divides<std::int8_t, std::int16_t, float>);
static_assert(divides<int, int, float> && divides<unsigned, float, float>);
static_assert(divides<std::int64_t, int, double> && divides<std::int64_t, float, double>);
static_assert(divides<float, double, double> && divides<__half, __half, float>);
static_assert(divides<__nv_bfloat16, std::int64_t, double> && divides<tile<int>, float, float>);

// Floor division: an integer as wide as the common type, at least 32 bits.
template <class L, class R, class T> constexpr bool floors =
    std::is_same_v<py::floordiv_t<L, R>, T>;
static_assert(floors<bool, bool, int> && floors<std::int8_t, std::int8_t, int>);
static_assert(floors<int, unsigned, unsigned> && floors<int, long, long>);
static_assert(floors<float, float, int> && floors<__half, int, int>);
static_assert(floors<double, float, std::int64_t> && floors<float, std::int64_t, std::int64_t>);
static_assert(floors<tile<std::uint8_t>, int, int>);

// ---- functions --------------------------------------------------------------------------------
// u is in [0, 1), v = u + 1/4, w at least 1.
#define FUNCTIONS(X, MATH)                                                                         \
  X(MATH::acos(u))                                                                                 \
  X(MATH::asin(u))                                                                                 \
  X(MATH::atan(x)) X(MATH::acosh(w)) X(MATH::asinh(x)) X(MATH::atanh(u)) X(MATH::expm1(x))         \
      X(MATH::log1p(u)) X(MATH::log10(w)) X(MATH::fabs(x)) X(MATH::fmod(w, v))                     \
          X(MATH::copysign(u, x)) X(MATH::hypot(x, w)) X(MATH::atan2(x, w)) X(MATH::pow(w, x))     \
              X(MATH::ceil(x)) X(MATH::floor(x)) X(MATH::tanh(x)) X(MATH::sqrt(w))
#define COUNT(CALL) +1
constexpr int functions = 0 FUNCTIONS(COUNT, );

#define STORE_TILE(CALL) ct::store(out + (k++ * n + i), CALL);
#define STORE_SCALAR(CALL) out[k++ * n + i] = CALL;
#define LIST(CALL) double(CALL),

template <class T> __tile_global__ void of_tiles(const T *in, T *out) {
  auto i = ct::iota<tile<int>>();
  auto x = ct::load(in + i), u = ct::abs(x) * T(0.25), w = ct::abs(x) + T(1);
  auto v = u + T(0.25);
  int k = 0;
  FUNCTIONS(STORE_TILE, py)
}
template <class T> __tile_global__ void of_scalars(const T *in, T *out) {
  for (int i = 0; i < n; ++i) {
    const T x = in[i], u = py::abs(x) * T(0.25), w = py::abs(x) + T(1), v = u + T(0.25);
    int k = 0;
    FUNCTIONS(STORE_SCALAR, py)
  }
}
template <class T> void check_functions(const char *type) {
  run::array<T> in(n, [](auto i) { return run::small(i) + 0.125; });
  run::array<T> tiles(n * functions), scalars(n * functions);
  auto wanted = [](auto i) {
    using real = std::conditional_t<sizeof(T) == 8, double, float>;
    const double x = double(real(run::small(i % n) + 0.125)), u = std::fabs(x) / 4;
    const double v = u + 0.25, w = std::fabs(x) + 1;
    const double all[] = {FUNCTIONS(LIST, std)};
    return all[i / n];
  };
  of_tiles<<<1, 1>>>(static_cast<const T *>(in), static_cast<T *>(tiles));
  run::expect(type, tiles, wanted);
  of_scalars<<<1, 1>>>(static_cast<const T *>(in), static_cast<T *>(scalars));
  run::expect(type, scalars, wanted);
}

// ---- divisions --------------------------------------------------------------------------------
__tile_global__ void divide(const int *x, float *quotients, double *wide, int *floors,
                            long *of_reals) {
  auto i = ct::iota<tile<int>>();
  auto a = ct::load(x + i);
  ct::store(quotients + i, py::truediv(a, 4));
  ct::store(wide + i, py::truediv(a, ct::element_cast<long>(a) * 3 + 1));
  ct::store(floors + i, py::floordiv(ct::element_cast<signed char>(a), 3));
  ct::store(of_reals + i, py::floordiv(ct::element_cast<double>(a), 2.5f));
  if (x[0] < 0) {
    static_assert(std::is_same_v<decltype(py::truediv(1, 2)), float>);
    static_assert(std::is_same_v<decltype(py::floordiv(1.0f, 2.0f)), int>);
    quotients[0] = py::truediv(x[0], 4);
    floors[0] = py::floordiv(x[0], 3);
    of_reals[0] = py::floordiv(double(x[0]), 2.5f);
  }
}

// ---- complex numbers --------------------------------------------------------------------------
constexpr int results = 6;
template <class T> __tile_global__ void complexes(const T *in, T *real, T *imag) {
  auto i = ct::iota<tile<int>>();
  auto k = ct::iota<ct::tile<int, ct::shape<n>>>();
  const py::complex x{ct::load(in + i), ct::load(in + (i ^ 1))};
  const py::complex y{ct::load(in + (i ^ 3)), ct::load(in + (i ^ 5))};
  const py::complex<T> z{T(0.5), T(-2)};
  const auto keep = [&](int at, auto c) {
    ct::store(real + (k + at * n), c.real);
    ct::store(imag + (k + at * n), c.imag);
  };
  keep(0, x + y);
  keep(1, x - z);
  keep(2, x * y);
  keep(3, x / y);
  keep(4, -(z * x) / T(4));
  keep(5, py::complex{py::abs(x), py::abs(x / z) * T(2)});
}
template <class T> void check_complexes(const char *type) {
  using C = std::complex<double>;
  auto value = [](auto i) { return run::small(i) + 0.3125; };
  run::array<T> in(n, value), real(n * results), imag(n * results);
  complexes<<<1, 1>>>(static_cast<const T *>(in), static_cast<T *>(real), static_cast<T *>(imag));
  auto wanted = [&](auto at) {
    const auto i = at % n;
    const C x{value(i), value(i ^ 1)}, y{value(i ^ 3), value(i ^ 5)}, z{0.5, -2};
    const C all[] = {x + y, x - z,          x * y,
                     x / y, -(z * x) / 4.0, {std::abs(x), std::abs(x / z) * 2}};
    return all[at / n];
  };
  run::expect(type, real, [&](auto i) { return wanted(i).real(); });
  run::expect(type, imag, [&](auto i) { return wanted(i).imag(); });
}

// Neither the length nor the quotient of large and small numbers leaves the format on the way.
__tile_global__ void extremes(float *out, float large) {
  const py::complex x{large, large};
  const py::complex q = x / x, r = py::complex{large, 0.0f} / py::complex{0.0f, 2 * large};
  out[0] = q.real;
  out[1] = q.imag;
  out[2] = r.real;
  out[3] = r.imag;
  out[4] = py::abs(py::complex{large, 0.0f}) / large;
}

int main() {
  check_functions<float>("float");
  check_functions<double>("double");
  check_functions<__half>("half");
  check_functions<__nv_bfloat16>("bf16");

  run::array<int> x(n, [](auto i) { return 7 * int(i) - 100; }), floors(n);
  run::array<float> quotients(n);
  run::array<double> wide(n);
  run::array<long> of_reals(n);
  divide<<<1, 1>>>(x, quotients, wide, floors, of_reals);
  run::expect("x / 4", quotients, [&](auto i) { return x[i] / 4; });
  run::expect("x / (3 x + 1)", wide, [&](auto i) { return x[i] / (3 * x[i] + 1); });
  run::expect("x // 3", floors, [&](auto i) { return std::floor(x[i] / 3); });
  run::expect("x // 2.5", of_reals, [&](auto i) { return std::floor(x[i] / 2.5); });

  check_complexes<float>("complex64");
  check_complexes<double>("complex128");
  for (float large : {1e38f, 1e-30f, 3e-23f}) {
    run::array<float> out(5);
    extremes<<<1, 1>>>(out, large);
    const double all[] = {1, 0, 0, -0.5, 1};
    out.fetch();
    run::expect("extremes", out, [&](auto i) { return all[i]; });
  }
  return run::finish();
}
