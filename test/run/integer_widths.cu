// Integers of widths between those of C's types: _BitInt, structs of three bytes, and the loop
// counters of two bits that LLVM makes for `a % 4`.
#include "run.h"
#include <cuda_tile.h>

using word = unsigned;
using u24 = unsigned _BitInt(24);
using s5 = _BitInt(5);
using s40 = _BitInt(40);

struct rgb {
  unsigned char r, g, b;
};

// What a kernel and the host compute alike.
__host__ __device__ __tile__ inline word widths(int which, word x, word y, int n) {
  u24 a = (u24)x;
  s5 s = (s5)y;
  s40 l = (s40)x << 8;
  for (int i = 0; i < n; ++i) {
    a = a * 77u + 12345u;
    s = (s5)(s * (s5)3 - (s5)7);
    l = (s40)(l * (s40)5);
  }
  switch (which) {
  case 0: return word(a / (u24)3u);
  case 1: return word(int(s));
  case 2: return word(int((s5)(s / (s5)3)));
  case 3: return s < (s5)2 ? 1u : 2u;
  case 4: return word(float(s) * 4 + 100);
  case 5: return word(a >> 5);
  case 6: return word(int((s5)(s >> 2)));
  case 7: return word((long long)l >> 20);
  case 8: return word(int((s5)(s % (s5)4)));
  case 9: return word((u24)-a > (u24)y ? (u24)-a : (u24)y);
  default:
    switch (s) {
    case -15: return 5;
    case 8: return 9;
    default: return 1;
    }
  }
}

constexpr int results = 11;

__tile_global__ void compute(word *o, word x, word y, int n) {
  for (int i = 0; i < results; ++i)
    o[i] = widths(i, x, y, n);
}

__tile_global__ void copy(rgb *c, int n) {
  rgb first = c[0], other = c[n];
  c[1] = n & 1 ? other : first;
}

// The number of rounds modulo 4 is kept in two bits.
__tile_global__ void rounds(const word *x, word *o, int n) {
  word a = x[0], count = 0;
  for (int i = 0; i < n; i += 2) {
    switch (a % 4) {
    case 0: a += x[i & 3]; break;
    case 3: a ^= word(i); break;
    default: a += 3; break;
    }
    for (int k = 0; k < int(word(i) & 3); ++k)
      count += a + word(k);
  }
  o[0] = a;
  o[1] = count;
}

int main() {
  run::array<word> y(results);
  for (int n = 0; n < 4; ++n) {
    compute<<<1, 1>>>(y, 123456789u, 40u + n, n);
    run::expect("compute", y,
                [&](auto i) { return double(widths(int(i), 123456789u, 40u + n, n)); });
    run::array<unsigned char> c(12, [](auto i) { return i * 7 + 1; });
    copy<<<1, 1>>>((rgb *)c.device, n);
    run::expect("copy", c, [&](auto i) {
      auto from = i / 3 == 1 && n != 1 ? (n & 1 ? 3 * n + i % 3 : i % 3) : i;
      return double(from * 7 + 1);
    });
  }

  run::array<word> x(4, [](auto i) { return i * 5 + 3; }), z(2);
  for (int n = 0; n < 12; n += 3) {
    rounds<<<1, 1>>>(x, z, n);
    word a = 3, count = 0;
    for (int i = 0; i < n; i += 2) {
      a = a % 4 == 0 ? a + word(x[i & 3]) : a % 4 == 3 ? a ^ word(i) : a + 3;
      for (int k = 0; k < int(word(i) & 3); ++k)
        count += a + word(k);
    }
    run::expect("rounds", z, [&](auto i) { return double(i ? count : a); });
  }
  return run::finish();
}
