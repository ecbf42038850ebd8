// Pointers that are chosen, carried by loops, assumed of, loaded from memory: each keeps what it
// points to and whether that is const.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile__ const int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};

__tile_global__ void merged(const float *a, const float *b, float *o, int n) {
  const float *from = n > 5 ? a : b;
  for (int i = 0; i < n; ++i)
    o[i] = from[i];
}

__tile_global__ void carried(const float *a, float *o, int n, int stride) {
  for (int i = 0; i < n; ++i, a += stride)
    o[i] = *a;
}

__tile_global__ void assumed(const float *a, float *o) {
  if (a != nullptr)
    a = ct::assume_aligned<16>(a);
  o[0] = a ? a[1] : 3.0f;
}

// A parameter's own qualifiers, in any order.
__tile_global__ void qualified(const int n, int *const __restrict__ p,
                               const int *__restrict__ const q) {
  p[0] = q[0] + n;
}

__tile_global__ void chosen(float *a, float *b, float *c, int which) {
  float *out = which == 0 ? a : which == 1 ? b : c;
  out[0] = which + 1;
}

__tile_global__ void mixed(const float *a, const int *b, int *o, bool first) {
  const void *from = first ? static_cast<const void *>(a) : b;
  o[0] = static_cast<const int *>(from)[1];
  o[1] = static_cast<const unsigned char *>(from)[3];
}

__tile_global__ void swapped(float **t) {
  t[0] = t[1];
  t[0][2] = 7;
}

__tile_global__ void halves(const __half *h, __half *o, const __nv_bfloat16 *b, __nv_bfloat16 *p,
                            int n) {
  const __half *from = n > 3 ? h : h + 2;
  o[0] = from[1];
  p[0] = b[n];
  for (; n > 0; --n)
    o[n] = *from++;
}

__tile_global__ void ranged(int *o) {
  int sum = 0;
  for (int p : primes)
    *o++ = sum += p;
}

__tile_global__ void walked(unsigned *u, unsigned n, unsigned *o) {
  unsigned hash = 0;
  for (unsigned *at = u; at != u + n; ++at)
    hash = hash * 31 + *at;
  o[0] = hash;
}

__tile_global__ void characters(const char *a, const char *b, const char *c, int which, int *o) {
  const char *from = a;
  switch (which) {
  case 0: break;
  case -1: from = b; break;
  default: from = c;
  }
  o[0] = from[0];
}

// A reference as a parameter is an address.
__tile_global__ void referred(int &x, const float &y, int *o) {
  o[0] = x + int(y);
  x = 9;
}

// Local structs and arrays that an index keeps in memory, pointers among them.
struct parts {
  int a[4];
  float b[4];
  short c;
};
__tile_global__ void kept(int *o, int n) {
  parts s;
  for (int i = 0; i < 4; ++i) {
    s.a[i] = i * n;
    s.b[i] = i;
  }
  s.c = n;
  parts t = s;
  o[0] = t.a[n & 3] + int(t.b[(n + 1) & 3]) + t.c;
  int *places[3] = {o, o + 1, o + 2};
  places[n & 1][1] = 5;
  bool flags[4] = {};
  flags[n & 3] = true;
  o[3] = flags[1];
}

int main() {
  run::array<float> a(64, [](auto i) { return i; }), b(64, [](auto i) { return 100 + i; });
  run::array<float> low(8), high(8), steps(5), one(1);
  merged<<<1, 1>>>(a, b, low, 4);
  run::expect("second", low, [](auto i) { return i < 4 ? 100.0 + i : 0.0; });
  merged<<<1, 1>>>(a, b, high, 8);
  run::expect("first", high, [](auto i) { return i; });
  carried<<<1, 1>>>(a, steps, 5, 3);
  run::expect("carried", steps, [](auto i) { return 3 * i; });
  assumed<<<1, 1>>>(a, one);
  run::expect("assumed", one, [](auto) { return 1; });

  run::array<float> x(4), y(4), z(4);
  for (int which = 0; which < 3; ++which)
    chosen<<<1, 1>>>(x, y, z, which);
  run::expect("x", x, [](auto i) { return i == 0 ? 1 : 0; });
  run::expect("y", y, [](auto i) { return i == 0 ? 2 : 0; });
  run::expect("z", z, [](auto i) { return i == 0 ? 3 : 0; });

  run::array<int> numbers(2, [](auto i) { return 0x01020304 + i; }), bits(2);
  mixed<<<1, 1>>>(a, numbers, bits, true);
  run::expect("float bits", bits, [](auto i) { return i == 0 ? 0x3f800000 : 0; });
  mixed<<<1, 1>>>(a, numbers, bits, false);
  run::expect("int bits", bits, [](auto i) { return i == 0 ? 0x01020305 : 1; });

  float *table[2] = {x.device, y.device}, **device;
  run::require(cudaMalloc((void **)&device, sizeof table));
  run::require(cudaMemcpy(device, table, sizeof table, cudaMemcpyHostToDevice));
  swapped<<<1, 1>>>(device);
  run::expect("swapped", y, [](auto i) { return i == 0 ? 2 : i == 2 ? 7 : 0; });

  run::array<__half> h(16, [](auto i) { return i; }), ho(6);
  run::array<__nv_bfloat16> bf(16, [](auto i) { return i; }), bo(1);
  halves<<<1, 1>>>(h, ho, bf, bo, 5);
  run::expect("half", ho, [](auto i) { return i == 0 ? 1.0 : 5.0 - i; });
  run::expect("bfloat", bo, [](auto) { return 5; });

  run::array<int> sums(8);
  ranged<<<1, 1>>>(sums);
  const int wanted[] = {2, 5, 10, 17, 28, 41, 58, 77};
  run::expect("sums", sums, [&](auto i) { return wanted[i]; });

  run::array<unsigned> u(8, [](auto i) { return 0x9000000u * (i + 1); }), hash(1);
  walked<<<1, 1>>>(u, 8, hash);
  run::expect("hash", hash, [](auto) {
    unsigned h = 0;
    for (unsigned i = 1; i <= 8; ++i)
      h = h * 31 + 0x9000000u * i;
    return h;
  });

  run::array<char> c1(1, [](auto) { return 1; }), c2(1, [](auto) { return -2; }),
      c3(1, [](auto) { return 3; });
  const int letters[] = {-2, 1, 3};
  run::array<int> letter(1);
  for (int which = -1; which < 2; ++which) {
    characters<<<1, 1>>>(c1, c2, c3, which, letter);
    run::expect("letter", letter, [&](auto) { return letters[which + 1]; });
  }

  run::array<int> referent(1, [](auto) { return 4; }), sum(1), places(4);
  run::array<float> three(1, [](auto) { return 3; });
  referred<<<1, 1>>>(*referent.device, *three.device, sum);
  run::expect("sum", sum, [](auto) { return 7; });
  run::expect("referent", referent, [](auto) { return 9; });
  kept<<<1, 1>>>(places, 5);
  run::array<int> unit(1, [](auto) { return 1; });
  qualified<<<1, 1>>>(2, sum, unit);
  run::expect("qualified", sum, [](auto) { return 3; });
  const int kept_values[] = {12, 0, 5, 1};
  run::expect("kept", places, [&](auto i) { return kept_values[i]; });
  return run::finish();
}
