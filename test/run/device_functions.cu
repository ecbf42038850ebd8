// What tile code may call of CUDA's device functions on scalars, with scalars of half and bf16 in
// printf, and of the C library with constants.
#include "run.h"

#include <cuda_tile.h>

template <class T> __tile_global__ void of_halves(const T *x, T *r) {
  for (int i = 0; i < 3; ++i) {
    const T v = x[i];
    r[i * 13] = hsqrt(v);
    r[i * 13 + 1] = hrsqrt(v);
    r[i * 13 + 2] = hrcp(v);
    r[i * 13 + 3] = hexp(v);
    r[i * 13 + 4] = hexp2(v);
    r[i * 13 + 5] = hlog(v);
    r[i * 13 + 6] = hlog2(v);
    r[i * 13 + 7] = hsin(v);
    r[i * 13 + 8] = hcos(v);
    r[i * 13 + 9] = htanh(v);
    r[i * 13 + 10] = htanh_approx(v);
    r[i * 13 + 11] = hceil(v);
    r[i * 13 + 12] = hfloor(v);
  }
}

double wanted(double x, int function) {
  switch (function) {
  case 0: return std::sqrt(x);
  case 1: return 1 / std::sqrt(x);
  case 2: return 1 / x;
  case 3: return std::exp(x);
  case 4: return std::exp2(x);
  case 5: return std::log(x);
  case 6: return std::log2(x);
  case 7: return std::sin(x);
  case 8: return std::cos(x);
  case 11: return std::ceil(x);
  case 12: return std::floor(x);
  default: return std::tanh(x);
  }
}

template <class T> void check_halves(const char *name) {
  const float at[] = {0.25f, 1.5f, 2.75f};
  run::array<T> x(3, [&](auto i) { return at[i]; }), r(39);
  of_halves<T><<<1, 1>>>(x, r);
  run::expect(name, r, [&](auto i) { return wanted(at[i / 13], i % 13); });
}

__tile_global__ void others(int *r, int n, unsigned long long large) {
  r[0] = __mulhi(n, -n);
  r[1] = int(__umulhi(unsigned(n), 0xfffffff0u));
  r[2] = int(__umul64hi(large, large));
  dim3 blocks(n);
  r[3] = int(blocks.x + blocks.y);
  r[4] = abs(-3) + int(std::abs(-2.5f)) + int(std::copysign(7.0f, -1.0f));
  r[5] = isnan(2.0f) + 2 * isfinite(2.0f) + 4 * isinf(-INFINITY) + 8 * signbit(-2.0);
}

__tile_global__ void prints(__half h, __nv_bfloat16 b) { printf("%f %d %.2f\n", h, 3, b); }

int main() {
  check_halves<__half>("f16");
  check_halves<__nv_bfloat16>("bf16");
  run::array<int> r(6);
  others<<<1, 1>>>(r, 123456789, 0xfffffffffffffff0ull);
  const int values[] = {-3548707, 123456788, -32, 123456790, -2, 14};
  run::expect("others", r, [&](auto i) { return values[i]; });
  prints<<<1, 1>>>(1.5f, -2.25f);
  return run::finish();
}
