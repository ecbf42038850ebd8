// targets: emulate,gpu Conversions between bf16 and integers in each direction, which are for the
// device only. Before sm_90 CUDA's headers write them with functions on floats, from then on with
// instructions.
#include "run.h"
#include <cuda_tile.h>

__tile_global__ void to_integers(const __nv_bfloat16 *x, long long *r) {
  for (int i = 0; i < 12; ++i, r += 12) {
    r[0] = __bfloat162int_rn(x[i]), r[1] = __bfloat162int_rz(x[i]);
    r[2] = __bfloat162int_rd(x[i]), r[3] = __bfloat162int_ru(x[i]);
    r[4] = __bfloat162ll_rn(x[i]), r[5] = __bfloat162ll_rd(x[i]);
    r[6] = __bfloat162uint_rn(__habs(x[i])), r[7] = __bfloat162uint_ru(__habs(x[i]));
    r[8] = __bfloat162ull_rz(__habs(x[i])), r[9] = __bfloat162short_rn(x[i]);
    r[10] = __bfloat162ushort_ru(__habs(x[i])), r[11] = (signed char)x[i];
  }
}

__tile_global__ void from_integers(const long long *x, __nv_bfloat16 *r) {
  for (int i = 0; i < 8; ++i, r += 16) {
    r[0] = __int2bfloat16_rn(int(x[i])), r[1] = __int2bfloat16_rz(int(x[i]));
    r[2] = __int2bfloat16_rd(int(x[i])), r[3] = __int2bfloat16_ru(int(x[i]));
    r[4] = __uint2bfloat16_rn(unsigned(x[i])), r[5] = __uint2bfloat16_rz(unsigned(x[i]));
    r[6] = __ll2bfloat16_rn(x[i]), r[7] = __ll2bfloat16_rd(x[i]), r[8] = __ll2bfloat16_ru(x[i]);
    r[9] = __ull2bfloat16_rn(x[i]), r[10] = __short2bfloat16_rn(short(x[i]));
    r[11] = __ushort2bfloat16_rn((unsigned short)(x[i])), r[12] = __short2bfloat16_rd(short(x[i]));
    r[13] = __nv_bfloat16(x[i]);
    r[14] = __ull2bfloat16_rz(x[i]), r[15] = __ull2bfloat16_ru(x[i]);
  }
}

// x to the 8 bits of bf16, as `direction` rounds an integer.
double to_bfloat(long double x, long double (*direction)(long double)) {
  const long double place = x == 0 ? 1 : std::ldexp(1.0L, std::ilogb(x) - 7);
  return double(direction(x / place) * place);
}

int main() {
  const float numbers[] = {0,     0.5f,   1.5f,   2.5f, -0.5f, -1.5f,
                           3.75f, -3.25f, 127.5f, -99,  1000,  -1e4f};
  run::array<__nv_bfloat16> x(12, [&](auto i) { return numbers[i]; });
  run::array<long long> to(144);
  to_integers<<<1, 1>>>(x, to);
  run::expect("to integers", to, [&](auto i) {
    const double a = x[i / 12], b = std::fabs(a);
    const double all[] = {
        std::rint(a), std::trunc(a), std::floor(a),
        std::ceil(a), std::rint(a),  std::floor(a),
        std::rint(b), std::ceil(b),  std::trunc(b),
        std::rint(a), std::ceil(b),  std::fmax(-128, std::fmin(127, std::trunc(a)))};
    return all[i % 12];
  });

  const long long integers[] = {0, 1, -1, 257, -259, 65535, 16777217, -123456789};
  run::array<long long> n(8, [&](auto i) { return integers[i]; });
  run::array<__nv_bfloat16> from(128);
  from_integers<<<1, 1>>>(n, from);
  run::expect(
      "from integers", from,
      [&](auto i) {
        const long long a = integers[i / 16];
        const double all[] = {to_bfloat(a, std::rint),
                              to_bfloat(a, std::trunc),
                              to_bfloat(a, std::floor),
                              to_bfloat(a, std::ceil),
                              to_bfloat(unsigned(a), std::rint),
                              to_bfloat(unsigned(a), std::trunc),
                              to_bfloat(a, std::rint),
                              to_bfloat(a, std::floor),
                              to_bfloat(a, std::ceil),
                              to_bfloat((unsigned long long)a, std::rint),
                              to_bfloat(short(a), std::rint),
                              to_bfloat((unsigned short)a, std::rint),
                              to_bfloat(short(a), std::floor),
                              to_bfloat(a, std::rint),
                              to_bfloat((unsigned long long)a, std::trunc),
                              to_bfloat((unsigned long long)a, std::ceil)};
        return all[i % 16];
      },
      0);
  return run::finish();
}
