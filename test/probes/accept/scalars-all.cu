// accept: scalars of every width: shifts, divisions, conversions, enumerations, comparisons, constants
#include "../show.h"

namespace widths_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  signed char a = 100 + n;
  unsigned char b = 250;
  short c = 32760;
  unsigned short d = 65530;
  long e = 1l << 40;
  unsigned long long g = ~0ull;
  a += 50;
  b += n * 3;
  c += n * 4;
  d += 10;
  e = e * n + 1;
  g -= n;
  o[0] = a;
  o[1] = b;
  o[2] = c;
  o[3] = d;
  o[4] = int(e >> 38);
  o[5] = int(g);
  o[6] = a * b;
  o[7] = (unsigned char)(a * b);
  o[8] = c << 3;
  o[9] = d >> 2;
  o[10] = -d;
  o[11] = ~b;
  o[12] = !a;
  o[13] = +b - 300;
}
} // namespace widths_

namespace shifts_div_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int m = -17 * n;
  unsigned u = m;
  long long l = -1234567890123ll * n;
  short s = -300;
  signed char c = -128;
  o[0] = m / 7;
  o[1] = m % 7;
  o[2] = m >> 3;
  o[3] = int(u >> 3);
  o[4] = int(u / 7);
  o[5] = int(u % 7);
  o[6] = int(l / 1000003);
  o[7] = int(l % 1000003);
  o[8] = int(l >> 33);
  o[9] = s / 7;
  o[10] = s >> 2;
  o[11] = c / -1;
  o[12] = (signed char)(c / -1);
  o[13] = 1 << n;
  o[14] = int(1ull << (n + 25) >> 28);
  o[15] = (n - 10) % 3;
  o[16] = int(u * 2654435761u);
  o[17] = 7 / (n + 1) * (n + 1) + 7 % (n + 1);
}
} // namespace shifts_div_

namespace conversions_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  float x = n * 1.7f;
  double y = -n * 2.9;
  o[0] = int(x);
  o[1] = int(y);
  o[2] = (unsigned char)(x);
  o[3] = short(y);
  o[4] = bool(y);
  o[5] = char(n * 60);
  o[6] = int((long long)(y * 1e9) >> 10);
  o[7] = unsigned(x * 1e8f) >> 5;
  f[0] = n;
  f[1] = float(0xffffffffu - n);
  f[2] = float((1ll << 53) + n);
  f[3] = float(y) / 3;
  f[4] = float(1.0 / n);
  f[5] = __half(x);
  f[6] = float(__half(y));
  f[7] = true + x;
  f[8] = 'a';
  f[9] = float(__nv_bfloat16(x) * __nv_bfloat16(3.0f));
}
} // namespace conversions_

namespace enums_bools_ {
enum E { a = 1, b = 2, c = 4 };
enum class F : short { x = -3, y };
enum G : unsigned long long { big = 1ull << 40 };
__tile__ constexpr E operator|(E l, E r) { return E(int(l) | int(r)); }
__tile_global__ void k(int *o, int *p, float *f, int n) {
  E e = a | c;
  F g = F(n - 8);
  o[0] = e;
  o[1] = g == F::x;
  o[2] = int(g) + int(F::y);
  o[3] = int(G(big) >> 38);
  bool t = n, u = !t;
  t ^= u;
  t += n;
  o[4] = t + u;
  o[5] = t ? e : b;
  o[6] = sizeof(E) + sizeof(F) + sizeof(G);
  o[7] = e & ~a;
  bool w = 0.5f;
  o[8] = w;
  o[9] = (n > 3) + (n > 4) - true;
  wchar_t wc = L'x';
  char16_t c16 = u'y';
  char8_t c8 = u8'z';
  o[10] = wc + c16 + c8;
}
} // namespace enums_bools_

namespace long_double_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  long double x = n;
  f[0] = x / 3;
}
} // namespace long_double_

namespace compound_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  unsigned char b = 200;
  b <<= 1;
  o[0] = b;
  b |= n;
  o[1] = b;
  b %= 7;
  o[2] = b;
  b *= 100;
  o[3] = b;
  short s = -5;
  s >>= 1;
  o[4] = s;
  s /= 2;
  o[5] = s;
  s = s++ + ++s;
  o[6] = s;
  float x = 3;
  x += n;
  x /= 7;
  x -= .25;
  f[0] = x;
  double y = x;
  y *= 1e3;
  f[1] = y;
  int i = n;
  i ^= i << 3;
  i &= 0xff;
  o[7] = i;
  long long l = n;
  l <<= 40;
  l += i;
  o[8] = int(l >> 35);
  int q = 07 + 0x1f + 0b11 + 1'000;
  o[9] = q;
}
} // namespace compound_

namespace compare_mixed_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int m = -n;
  unsigned u = n;
  o[0] = (m < int(u)) + 2 * (m < u) + 4 * (m == -5) + 8 * ((long long)m < u) +
         16 * ((short)m < (unsigned char)u);
  float z = 0.0f * m;
  o[1] = (z == 0) + 2 * (1 / z < 0);
  float nan = z / z;
  o[2] = (nan == nan) + 2 * (nan != nan) + 4 * !(nan < 1);
  o[3] = (0.1f == 0.1) + 2 * (16777217 == 16777216.0f);
  char c = 200;
  o[4] = c;
  o[5] = c > 0;
}
} // namespace compare_mixed_

namespace constants_ {
constexpr long long big = 1ll << 45;
constexpr double third = 1.0 / 3;
constexpr unsigned char uc = 255;
const int plain = 42;
constexpr bool flag = true;
__tile_global__ void k(int *o, int *p, float *f, int n) {
  o[0] = int(big >> 40) + uc + plain + flag;
  f[0] = third;
  o[1] = __LINE__ > 0;
  o[2] = sizeof(long) + alignof(double);
}
} // namespace constants_

int main() {
  SHOW(widths_::k);
  SHOW(shifts_div_::k);
  SHOW(conversions_::k);
  SHOW(enums_bools_::k);
  SHOW(long_double_::k);
  SHOW(compound_::k);
  SHOW(compare_mixed_::k);
  SHOW(constants_::k);
  return probe_bad;
}
