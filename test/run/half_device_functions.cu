// targets: emulate,gpu What CUDA's headers offer for scalars of half and bf16 on the device only:
// fma and conversions to integers in each direction.
#include "run.h"
#include <cuda_tile.h>

template <class T> __tile_global__ void fused(const T *x, T *result) {
  for (int i = 0; i < 16; ++i) {
    result[2 * i] = __hfma(x[i], x[i + 1], x[i + 2]);
    result[2 * i + 1] = __hfma_sat(x[i], x[i + 1], x[i + 2]);
  }
}

// Just above the middle of two halves: what rounds the sum to float first, rounds it down.
__tile_global__ void rounded_once(const __half *x, __half *result) {
  result[0] = __hfma(x[0], x[1], x[2]);
}

__tile_global__ void half_to_integers(const __half *x, int *result) {
  for (int i = 0; i < 8; ++i) {
    result[i * 5] = __half2int_rn(x[i]);
    result[i * 5 + 1] = __half2int_ru(x[i]);
    result[i * 5 + 2] = __half2short_rd(x[i]);
    result[i * 5 + 3] = __half2ushort_rd(x[i]);
    result[i * 5 + 4] = int(__half2ll_rn(x[i]));
  }
}

__tile_global__ void bfloat_to_integers(const __nv_bfloat16 *x, int *result) {
  for (int i = 0; i < 8; ++i) {
    result[i * 3] = __bfloat162int_rn(x[i]);
    result[i * 3 + 1] = __bfloat162int_ru(x[i]);
    result[i * 3 + 2] = __bfloat162short_rd(x[i]);
  }
}

const float numbers[] = {0.5f, 1.5f, -2.5f, 3.25f, -1000.75f, 40000, -40000, 60000};
double to_short(double x) { return std::fmin(std::fmax(x, -32768), 32767); }

template <class T> void check_fused(const char *name) {
  run::array<T> x(18, run::small), result(32);
  fused<T><<<1, 1>>>(x, result);
  run::expect(name, result, [&](auto i) {
    const double sum = x[i / 2] * x[i / 2 + 1] + x[i / 2 + 2];
    return i % 2 ? std::fmin(std::fmax(sum, 0), 1) : sum;
  });
}

int main() {
  check_fused<__half>("f16 fma");
  check_fused<__nv_bfloat16>("bf16 fma");

  const float product_and_rest[] = {683.f / 512, 0.75f, 0x1p-24f};
  run::array<__half> factors(3, [&](auto i) { return product_and_rest[i]; }), sum(1);
  rounded_once<<<1, 1>>>(factors, sum);
  run::expect("f16 fma, once", sum, [](auto) { return 1 + 0x1p-10; }, 0);

  run::array<__half> h(8, [](auto i) { return numbers[i]; });
  run::array<int> from_half(40);
  half_to_integers<<<1, 1>>>(h, from_half);
  run::expect("f16 to integers", from_half, [&](auto i) {
    const double a = h[i / 5];
    const double all[] = {std::nearbyint(a), std::ceil(a), to_short(std::floor(a)),
                          std::fmax(std::floor(a), 0), std::nearbyint(a)};
    return all[i % 5];
  });

  run::array<__nv_bfloat16> b(8, [](auto i) { return numbers[i]; });
  run::array<int> from_bfloat(24);
  bfloat_to_integers<<<1, 1>>>(b, from_bfloat);
  run::expect("bf16 to integers", from_bfloat, [&](auto i) {
    const double a = b[i / 3];
    const double all[] = {std::nearbyint(a), std::ceil(a), to_short(std::floor(a))};
    return all[i % 3];
  });
  return run::finish();
}
