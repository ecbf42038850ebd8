// Local structs with members of several types, behind pointers and references that are chosen,
// carried and passed on: every access is of the right type and alignment, whatever the memory is
// declared as.
#include "run.h"
#include <cuda_tile.h>

struct params {
  int a[4];
  short b[3];
  float f;
};

__tile__ int pick(const int *p, int i) { return p[i]; }

__tile_global__ void chosen(int m, int n, const int *x, int *o) {
  params s{{m, 2, 3, 4}, {10, 20, 30}, 1.0f};
  params t = s;
  t.a[n & 3] += 5;
  const int *p = n > 2 ? t.a : s.a;
  o[0] = pick(p, (n + 1) & 3);
  o[1] = *(const int *)&t.f;
  o[2] = pick(n > 5 ? x : t.a, n & 1);
  o[3] = s.b[n % 3] + t.b[(n + 1) % 3];
}

// Padding before and behind a member; arrays of structs.
struct padded {
  char c;
  double d;
  short s[3];
};

__tile_global__ void array_of_structs(int n, double *o) {
  padded p[3] = {};
  for (int i = 0; i < 3; ++i) {
    p[(i + n) % 3].c = char(i + 1);
    p[(i + n) % 3].d = 0.5 * i;
    p[(i + n) % 3].s[i] = short(-i);
  }
  padded *at = &p[n % 3];
  double sum = at->c;
  for (int i = 0; i < n; ++i) {
    sum += at->d + at->s[i % 3];
    at = at == p + 2 ? p : at + 1;
  }
  o[0] = sum;
  o[1] = p[(n + 1) % 3].d;
}

// Bytes of one type read and written as another.
struct words {
  unsigned low, high;
  float f[2];
};

__tile_global__ void reinterpreted(double x, int n, unsigned *o) {
  words w[2] = {{1, 2, {3, 4}}, {5, 6, {7, 8}}};
  memcpy(&w[n & 1], &x, sizeof x);
  unsigned bits;
  __builtin_memcpy(&bits, &w[n & 1].f[n >> 1 & 1], sizeof bits);
  o[0] = w[n & 1].low;
  o[1] = w[n & 1].high;
  o[2] = bits;
  unsigned char bytes[16];
  memcpy(bytes, &w[~n & 1], sizeof bytes);
  o[3] = bytes[n % 16];
  double back;
  memcpy(&back, &w[n & 1], sizeof back);
  o[4] = back == x;
}

// Members of one struct, chosen, and carried by a loop.
struct numbers {
  float first[2];
  int count;
  float last[2];
  bool flags[3];
};

__tile__ void bump(float &x, bool &flag) {
  x += 1;
  flag = !flag;
}

__tile_global__ void carried(int n, float *o) {
  numbers k{{1, 2}, 3, {4, 5}, {true, false, true}};
  float *p = n & 1 ? k.last : k.first, *q = n & 1 ? k.first : k.last;
  for (int i = 0; i < n; ++i) {
    p[i & 1] += i;
    float *r = p;
    p = q;
    q = r;
    bump(n > i + 2 ? k.first[i & 1] : k.last[i & 1], k.flags[i % 3]);
  }
  o[0] = k.first[0] + k.last[n & 1];
  o[1] = k.first[n & 1] * 10 + k.last[0];
  o[2] = k.count + 10 * k.flags[n % 3] + 100 * k.flags[(n + 1) % 3];
}

struct inner {
  short tag;
  long long wide[2];
};
struct outer {
  bool on;
  inner in[2];
  int *to;
  __half h;
};

__tile__ long long sum(const inner &i, int n) { return i.tag + i.wide[n & 1]; }

__tile_global__ void nested(const outer *from, int n, int *o, long long *p) {
  outer a = *from, b = *from;
  b.in[n & 1].wide[n >> 1 & 1] = 40;
  b.in[1].tag = short(n);
  b.to = o + 2;
  outer *chosen = n > 4 ? &a : &b;
  const inner *in = n > 2 ? &chosen->in[n & 1] : &from->in[n & 1];
  p[0] = sum(*in, n >> 1);
  p[1] = sum(chosen->in[~n & 1], n);
  chosen->on = !chosen->on;
  chosen->h = __float2half(2.5f);
  o[0] = a.on + 2 * b.on;
  o[1] = int(__half2float(a.h) * 2) + int(__half2float(b.h) * 200);
  if (a.on != b.on)
    *chosen->to = 7;
}

int main() {
  for (int n = 1; n < 8; ++n) {
    run::array<int> x(2, [](auto i) { return 100 + i; }), c(4);
    chosen<<<1, 1>>>(1, n, x, c);
    run::expect("chosen", c, [&](auto i) {
      int s[4] = {1, 2, 3, 4}, t[4] = {1, 2, 3, 4}, short_of[3] = {10, 20, 30};
      t[n & 3] += 5;
      return i == 0   ? (n > 2 ? t : s)[(n + 1) & 3]
             : i == 1 ? 0x3f800000
             : i == 2 ? (n > 5 ? 100 + (n & 1) : t[n & 1])
                      : short_of[n % 3] + short_of[(n + 1) % 3];
    });

    run::array<double> d(2);
    array_of_structs<<<1, 1>>>(n, d);
    run::expect("array of structs", d, [&](auto k) {
      double total = 1;
      for (int i = 0; i < n; ++i)
        total += 0.5 * (i % 3) - (i % 3);
      return k == 0 ? total : 0.5;
    });

    run::array<unsigned> w(5);
    reinterpreted<<<1, 1>>>(1.0 + 1.0 / (1 << 30), n, w);
    run::expect("reinterpreted", w, [&](auto k) {
      const unsigned char other[2][16] = {
          {1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0x40, 0x40, 0, 0, 0x80, 0x40},
          {5, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0xe0, 0x40, 0, 0, 0, 0x41}};
      const unsigned floats[2][2] = {{0x40400000, 0x40800000}, {0x40e00000, 0x41000000}};
      return k == 0   ? 1u << 22
             : k == 1 ? 0x3ff00000u
             : k == 2 ? floats[n & 1][n >> 1 & 1]
             : k == 3 ? other[~n & 1][n % 16]
                      : 1u;
    });

    run::array<float> f(3);
    carried<<<1, 1>>>(n, f);
    run::expect("carried", f, [&](auto k) {
      float first[2] = {1, 2}, last[2] = {4, 5};
      bool flags[3] = {true, false, true};
      for (int i = 0; i < n; ++i) {
        ((n ^ i) & 1 ? last : first)[i & 1] += i;
        (n > i + 2 ? first : last)[i & 1] += 1;
        flags[i % 3] = !flags[i % 3];
      }
      return k == 0   ? first[0] + last[n & 1]
             : k == 1 ? first[n & 1] * 10 + last[0]
                      : 3.0f + 10 * flags[n % 3] + 100 * flags[(n + 1) % 3];
    });

    run::array<int> o(3);
    run::array<long long> p(2);
    outer value{true, {{1, {20, 21}}, {2, {22, 23}}}, nullptr, __float2half(1.5f)};
    value.to = o.device + 2;
    outer *device;
    run::require(cudaMalloc((void **)&device, sizeof value));
    run::require(cudaMemcpy(device, &value, sizeof value, cudaMemcpyHostToDevice));
    nested<<<1, 1>>>(device, n, o, p);
    auto total = [](const inner &i, int n) { return i.tag + i.wide[n & 1]; };
    outer b = value;
    b.in[n & 1].wide[n >> 1 & 1] = 40;
    b.in[1].tag = short(n);
    const outer &which = n > 4 ? value : b;
    run::expect("sums", p, [&](auto k) {
      return k == 0 ? total((n > 2 ? which : value).in[n & 1], n >> 1) : total(which.in[~n & 1], n);
    });
    run::expect("members", o, [&](auto k) {
      return k == 0 ? (n > 4 ? 2 : 1) : k == 1 ? (n > 4 ? 305 : 503) : 7;
    });
  }
  return run::finish();
}
