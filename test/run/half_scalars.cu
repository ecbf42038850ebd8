// Scalars of half, bf16 and 8-bit floats in tile code: parameters, operators, comparisons,
// conversions. Functions that CUDA has for the device only are in half_device_functions.cu.
#include "run.h"
#include <cuda_fp8.h>
#include <cuda_tile.h>
#include <limits>

template <class T> __tile_global__ void operators(const T *x, const T *y, T z, T *result, int n) {
  for (int i = 0; i < n; ++i) {
    T *r = result + i * 8;
    r[0] = x[i] + y[i];
    r[1] = x[i] - y[i];
    r[2] = x[i] * y[i];
    r[3] = x[i] / z;
    r[4] = -x[i];
    r[5] = (x[i] + y[i]) / z;
    r[6] = __hmax(__habs(x[i]), y[i]);
    r[7] = __hmin(x[i], y[i]);
    r[7] += z;
  }
}

template <class T> __tile_global__ void comparisons(const T *x, const T *y, int *result, int n) {
  for (int i = 0; i < n; ++i) {
    const T a = x[i], b = y[i];
    result[i] = (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 |
                (a >= b) << 5 | __hisnan(a) << 6 | __hltu(a, b) << 7;
  }
}

__tile_global__ void half_conversions(const __half *x, int *integers, float *f, double *d,
                                      __half *h) {
  for (int i = 0; i < 8; ++i) {
    integers[i * 4] = int(x[i]);
    integers[i * 4 + 1] = __half2short_rz(x[i]);
    integers[i * 4 + 2] = __half2ushort_rz(x[i]);
    integers[i * 4 + 3] = int(__half2ll_rz(x[i]));
    f[i] = x[i];
    d[i] = double(float(x[i]));
    h[i * 6] = __half(f[i] * 1.0001f);
    h[i * 6 + 1] = __float2half_rz(f[i] * 1.0001f);
    h[i * 6 + 2] = __float2half_ru(f[i] * 1.0001f);
    h[i * 6 + 3] = __double2half(d[i] / 3);
    h[i * 6 + 4] = __int2half_rn(2049 + i);
    h[i * 6 + 5] = __uint2half_rn(65504u - i);
  }
}

__tile_global__ void bfloat_conversions(const __nv_bfloat16 *x, int *integers, __nv_bfloat16 *b) {
  for (int i = 0; i < 8; ++i) {
    integers[i * 2] = int(x[i]);
    integers[i * 2 + 1] = __bfloat162short_rz(x[i]);
    b[i * 3] = float(x[i]) * 1.003f;
    b[i * 3 + 1] = __float2bfloat16_rd(float(x[i]) * 1.003f);
    b[i * 3 + 2] = __ll2bfloat16_rn(257 + i);
  }
}

template <class Q> __tile_global__ void bytes(const float *x, Q *q, Q scale, float *result) {
  for (int i = 0; i < 8; ++i) {
    q[i] = Q(x[i]);
    result[i] = float(q[i]) * float(scale);
  }
}

constexpr int n = 32;
const float inf = std::numeric_limits<float>::infinity();
const float nan_ = std::numeric_limits<float>::quiet_NaN();

template <class T> void check_operators(const char *name) {
  run::array<T> x(n, run::small), y(n, [](auto i) { return run::small(i + 5); }), result(8 * n);
  operators<T><<<1, 1>>>(x, y, T(1.5f), result, n);
  run::expect(name, result, [&](auto i) {
    const double a = x[i / 8], b = y[i / 8];
    const double all[] = {a + b,
                          a - b,
                          a * b,
                          a / 1.5,
                          -a,
                          double(float(T(float(a + b)))) / 1.5,
                          std::fmax(std::abs(a), b),
                          std::fmin(a, b) + 1.5};
    return run::number(T(float(all[i % 8])));
  });
}

template <class T> void check_comparisons(const char *name) {
  const float special[] = {0, -0.0f, 1, -1, inf, -inf, nan_, 2};
  run::array<T> x(64, [&](auto i) { return special[i / 8]; }),
      y(64, [&](auto i) { return special[i % 8]; });
  run::array<int> result(64);
  comparisons<T><<<1, 1>>>(x, y, result, 64);
  run::expect(name, result, [&](auto i) {
    const double a = x[i], b = y[i];
    return (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5 |
           (a != a) << 6 | !(a >= b) << 7;
  });
}

const float numbers[] = {0.5f, 1.5f, -2.5f, 3.25f, -1000.75f, 40000, -40000, 60000};

void check_half_conversions() {
  run::array<__half> x(8, [](auto i) { return numbers[i]; }), h(48);
  run::array<int> integers(32);
  run::array<float> f(8);
  run::array<double> d(8);
  half_conversions<<<1, 1>>>(x, integers, f, d, h);
  run::expect("f16 to f32", f, [&](auto i) { return x[i]; });
  run::expect("f16 to f64", d, [&](auto i) { return x[i]; });
  run::expect("f16 to integers", integers, [&](auto i) {
    const double a = std::trunc(x[i / 4]);
    const double all[] = {a, std::fmin(std::fmax(a, -32768), 32767), std::fmax(a, 0), a};
    return all[i % 4];
  });
  run::expect(
      "to f16", h,
      [&](auto i) {
        const double a = x[i / 6];
        const int k = i / 6;
        const __half all[] = {__float2half_rn(float(a) * 1.0001f),
                              __float2half_rz(float(a) * 1.0001f),
                              __float2half_ru(float(a) * 1.0001f),
                              __half(float(a / 3)),
                              __half(float(2049 + k)),
                              __half(float(65504 - k))};
        return run::number(all[i % 6]);
      },
      0);
}

void check_bfloat_conversions() {
  run::array<__nv_bfloat16> x(8, [](auto i) { return numbers[i]; }), b(24);
  run::array<int> integers(16);
  bfloat_conversions<<<1, 1>>>(x, integers, b);
  run::expect("bf16 to integers", integers, [&](auto i) {
    const double a = std::trunc(x[i / 2]);
    return i % 2 ? std::fmin(std::fmax(a, -32768), 32767) : a;
  });
  run::expect(
      "to bf16", b,
      [&](auto i) {
        const float a = float(x[i / 3]) * 1.003f;
        const __nv_bfloat16 all[] = {__float2bfloat16_rn(a), __float2bfloat16_rd(a),
                                     __float2bfloat16_rn(257 + i / 3)};
        return run::number(all[i % 3]);
      },
      0);
}

template <class Q> void check_bytes(const char *name) {
  run::array<float> x(8, [](auto i) { return numbers[i]; }), result(8);
  run::array<Q> q(8);
  bytes<Q><<<1, 1>>>(x, q, Q(2.0f), result);
  run::expect(name, result, [&](auto i) { return 2 * double(float(Q(float(x[i])))); });
}

int main() {
  check_operators<__half>("f16 operators");
  check_operators<__nv_bfloat16>("bf16 operators");
  check_comparisons<__half>("f16 comparisons");
  check_comparisons<__nv_bfloat16>("bf16 comparisons");
  check_half_conversions();
  check_bfloat_conversions();
  check_bytes<__nv_fp8_e4m3>("e4m3");
  check_bytes<__nv_fp8_e5m2>("e5m2");
  return run::finish();
}
