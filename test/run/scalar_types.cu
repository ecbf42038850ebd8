// Signedness belongs to the operation and width to its result: what 8 and 16 bits compute is cut
// back to them, extended as the C++ type says, and parameters count under whatever name they have.
#include "run.h"
#include <cstdint>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

enum color : unsigned char { red = 3, blue = 200 };

__tile_global__ void narrow(long long *o, unsigned char u, unsigned short us, int x,
                            const unsigned char *m) {
  o[0] = (short)(u << 8);
  signed char c = x;
  c++;
  o[1] = c;
  short s = x;
  s <<= 4;
  o[2] = s;
  o[3] = (short)(us << 8) >> 4;
  o[4] = (short)(m[1] << 8 | m[2]);
  unsigned char d = u;
  d += 200;
  o[5] = d;
  o[6] = (unsigned char)(d * d) >> 3;
  o[7] = (unsigned short)(us * 3u) / 3u;
  o[8] = x >> 3;
  o[9] = (unsigned)x >> 3;
  bool b = x < 0;
  o[10] = -b;
  o[11] = b < (x > 3);
  o[12] = (x << 3) + 5;
  o[13] = (x & us) | (u << 2);
}

__tile_global__ void spelled(long long *o, std::uint32_t n, std::size_t size, long l, char c,
                             color k, const std::uint16_t h, std::int8_t i) {
  o[0] = n >> 3;
  o[1] = n / 3;
  o[2] = size >> 7;
  o[3] = static_cast<long>(ct::max(l, -5l));
  o[4] = c >> 1;
  o[5] = k * 2;
  o[6] = (h ^ 0xff) > 1000;
  o[7] = i + h;
}

// Labels below zero, and a type without a sign.
__tile_global__ void selected(int *o, int x, unsigned char u) {
  switch (x) {
  case -1: o[0] = 10; break;
  case 0: o[0] = 11; break;
  case -200: o[0] = 12; break;
  case 7: o[0] = 14; break;
  default: o[0] = 13;
  }
  switch (u) {
  case 1: o[1] = 20; break;
  case 255: o[1] = 21; break;
  case 128: o[1] = 22; break;
  default: o[1] = 23;
  }
}

// Functions of the library on scalars of every width.
template <class T> __tile_global__ void library(const T *a, const T *b, T *o) {
  T x = a[0], y = b[0];
  o[0] = T(ct::min(x, y));
  o[1] = T(ct::max(x, y));
  o[2] = T(ct::ceildiv(x, y));
  o[3] = T(ct::abs(x));
  o[4] = T(ct::select(x < y, x, y));
}

template <class T> void check(const char *name) {
  run::array<T> a(1, [](auto) { return T(200); }), b(1, [](auto) { return T(77); }), o(5);
  library<T><<<1, 1>>>(a.device, b.device, o.device);
  const T x = T(200), y = 77;
  const T wanted[] = {std::min(x, y), std::max(x, y), T(x < 0 ? x / y : (x + y - 1) / y),
                      T(x < 0 ? -x : x), std::min(x, y)};
  run::expect(name, o, [&](auto i) { return wanted[i]; });
}

int main() {
  run::array<long long> o(14);
  run::array<unsigned char> m(4, [](auto i) { return 250 + i; });
  for (int x : {-3, 5, 1000, -200})
    for (unsigned u : {255u, 3u, 128u}) {
      const unsigned short us = u * 257;
      narrow<<<1, 1>>>(o, u, us, x, m);
      const unsigned char d = u + 200;
      const long long wanted[] = {short(u << 8),
                                  (signed char)((signed char)x + 1),
                                  short(short(x) * 16),
                                  short(us << 8) >> 4,
                                  short(251 << 8 | 252),
                                  d,
                                  (unsigned char)(d * d) >> 3,
                                  (unsigned short)(us * 3u) / 3u,
                                  x >> 3,
                                  unsigned(x) >> 3,
                                  x < 0 ? -1 : 0,
                                  (x < 0) < (x > 3),
                                  x * 8 + 5,
                                  (x & us) | (u << 2)};
      run::expect("narrow", o, [&](auto i) { return wanted[i]; });
    }

  run::array<long long> q(8);
  spelled<<<1, 1>>>(q, 4000000000u, std::size_t(1) << 63, -9l, -7, blue, 65000, -100);
  const long long wanted[] = {500000000, 1333333333, 1ll << 56, -5, -4, 400, 1, 64900};
  run::expect("spelled", q, [&](auto i) { return wanted[i]; });

  run::array<int> chosen(2);
  const int xs[] = {-1, 0, -200, 7, 8}, us[] = {1, 255, 128, 0, 127};
  for (int k = 0; k < 5; ++k) {
    selected<<<1, 1>>>(chosen, xs[k], us[k]);
    const int labels[] = {10, 11, 12, 14, 13, 20, 21, 22, 23, 23};
    run::expect("selected", chosen, [&](auto i) { return labels[5 * i + k]; });
  }

  check<signed char>("signed char");
  check<unsigned char>("unsigned char");
  check<short>("short");
  check<unsigned short>("unsigned short");
  check<int>("int");
  check<unsigned>("unsigned");
  check<long long>("long long");
  check<unsigned long long>("unsigned long long");
  return run::finish();
}
