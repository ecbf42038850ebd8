// Powers with whole exponents, which are products, of all kinds of floats; and arithmetic in double
// of floats that become floats again.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int n = 64;
using floats = ct::tile<float, ct::shape<n>>;
using doubles = ct::tile<double, ct::shape<n>>;

__tile_global__ void powers(const float *__restrict__ x, float *__restrict__ out, int exponent) {
  auto a = ct::load(x + ct::iota<ct::tile<int, ct::shape<n>>>());
  auto store = [&](int at, auto y) {
    ct::store(out + at * n + ct::iota<ct::tile<int, ct::shape<n>>>(), y);
  };
  auto wide = ct::element_cast<double>(a);
  store(0, ct::pow(a, ct::full<floats>(2.0f)));
  store(1, ct::pow(a, ct::full<floats>(3.0f)));
  store(2, ct::pow(a, ct::full<floats>(4.0f)));
  store(3, ct::element_cast<float>(ct::pow(wide, ct::full<doubles>(2.0))));
  store(4, ct::element_cast<float>(ct::pow(wide, ct::full<doubles>(3.0))));
  store(5, ct::pow(a, ct::full<floats>(float(exponent))));
  store(6, ct::element_cast<float>(wide * wide + wide)); // two operations: stays double
  store(7, ct::element_cast<float>(wide / (wide + wide)));
  store(8, ct::element_cast<float>(wide - ct::element_cast<double>(ct::full<floats>(1e-30f))));
  store(9, ct::element_cast<float>(wide / ct::element_cast<double>(a)));
}

// Small floats are rounded once.
template <class T> __tile_global__ void small_powers(const T *__restrict__ x, T *__restrict__ out) {
  auto at = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto a = ct::load(x + at);
  ct::store(out + at, ct::pow(a, ct::full<ct::tile<T, ct::shape<64>>>(T(3.0f))));
  ct::store(out + 64 + at, ct::pow(a, ct::full<ct::tile<T, ct::shape<64>>>(T(4.0f))));
}
template <class T> void check_small(const char *name) {
  auto value = [](std::size_t i) { return 0.5 + double(i * 37 % 64) / 41; };
  run::array<T> x(64, value), out(128);
  small_powers<T><<<1, 1>>>(x, out);
  run::expect(
      name, out,
      [&](auto i) {
        double a = x[i % 64];
        return run::number(T(float(i < 64 ? a * a * a : a * a * a * a)));
      },
      1e-9);
}
double value(std::size_t i) {
  constexpr double special[] = {0.0,  -0.0,      HUGE_VAL, -HUGE_VAL,      NAN, 1e-23, -1e-23,
                                3e38, -2e19,     1e-40,    1.17549435e-38, 1.0, -1.0,  7e-46,
                                0.1,  16777217.0};
  return i < 16 ? special[i] : run::small(i) * 1.1;
}

int main() {
  run::array<float> x(n, value), out(10 * n);
  for (int exponent : {2, 3}) {
    powers<<<1, 1>>>(x, out, exponent);
    // Each element of an infinite or huge range by itself: the sign, what overflows, subnormals.
    out.fetch();
    auto right = [&](int form, double a) -> double {
      switch (form) {
      case 0:
      case 3: return float(a * a);
      case 1:
      case 4: return float(a * a * a);
      case 2: return float(a * a * a * a);
      case 5: return float(exponent == 2 ? a * a : a * a * a);
      case 6: return float(a * a + a);
      case 7: return float(a / (a + a));
      case 8: return float(a - double(1e-30f));
      default: return float(a / a);
      }
    };
    for (int form = 0; form < 10; ++form)
      for (int i = 0; i < n; ++i) {
        const double got = out[form * n + i], wanted = right(form, x[i]);
        // Exact but for repeated products and what a library computes.
        const bool isExact = form == 0 || form == 3 || form >= 6;
        if (!run::near(got, wanted, isExact ? 0 : std::abs(wanted) * 1e-6 + 1e-44)) {
          std::printf("wrong: form %d of %.9g is %.9g, should be %.9g\n", form, x[i], got, wanted);
          ++run::failures;
        }
      }
  }
  std::printf("powers ~1e-06:");
  for (int i = 16; i < n; ++i)
    std::printf(" %.9g", out[i]);
  std::printf("\n");
  check_small<__half>("halves");
  check_small<__nv_bfloat16>("bf16");
  return run::finish();
}
