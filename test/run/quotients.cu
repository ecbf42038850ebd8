// A quotient of floats is correctly rounded whatever its neighbours are: zeros keep their sign,
// dividends and divisors are subnormal, infinite, NaN, negative or as great as they can be, alone
// in a tile of plain numbers and in every pair. So is one of halves and bf16s.
#include "run.h"

#include <cuda_tile.h>

#include <limits>

namespace ct = cuda::tiles;
constexpr int width = 1024;

/// y = a / b, element by element, and by the first element of b, as rows are divided by their sum.
template <class T> __tile_global__ void divide(const T *a, const T *b, T *y, T *by_first, int n) {
  auto tile = ct::shape<width>{};
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{n}}, tile};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{n}}, tile};
  auto ys = ct::partition_view{ct::tensor_span{y, ct::extents{n}}, tile};
  auto firsts = ct::partition_view{ct::tensor_span{by_first, ct::extents{n}}, tile};
  int i = ct::bid().x;
  ys.store(as.load(i) / bs.load(i), i);
  firsts.store(as.load(i) / b[i * width], i);
}

const float special[] = {
    0.0f,     -0.0f,      1.0f,           -1.0f,           3.0f,      0x1p-62f,
    0x1p62f,  0x1p-63f,   0x1p63f,        0x1p-126f,       0x1p-149f, -0x3p-149f,
    0x1p127f, 0x1.8p-62f, 0x1.fffffep61f, 0x1.fffffep127f, INFINITY,  -INFINITY,
    NAN,      65504.0f,   0x1p-24f,       1.0f / 3};
constexpr int specials = sizeof(special) / sizeof(*special);

unsigned state = 1;
float plain() {
  state = state * 1664525u + 1013904223u;
  return std::ldexp(1.0f + float(state >> 9) * 0x1p-23f, int(state % 41) - 20);
}

// Blocks of plain numbers, of plain numbers among which one is special, of special ones alone.
template <class T> void check(const char *name) {
  const int blocks = 2 + 4 * specials, n = blocks * width;
  std::vector<float> as(n), bs(n);
  for (int i = 0; i < n; ++i) {
    const int block = i / width, s = (block - 2) % specials, kind = (block - 2) / specials;
    as[i] = i % 7 == 3 ? 0.0f : i % 3 == 0 ? -plain() : plain();
    bs[i] = plain();
    if (block == 1)
      as[i] = special[i % specials], bs[i] = special[i / specials % specials];
    else if (block > 1 && kind == 0 && i % width == 777)
      as[i] = special[s];
    else if (block > 1 && kind == 1 && i % width == 778)
      bs[i] = special[s];
    else if (block > 1 && kind == 2 && i % width == 0)
      bs[i] = special[s]; // the divisor of a row
    else if (block > 1 && kind == 3)
      as[i] = (i % 7 ? 1.0f : -1.0f) * special[s];
  }
  run::array<T> a(n, [&](std::size_t i) { return as[i]; }),
      b(n, [&](std::size_t i) { return bs[i]; });
  run::array<T> y(n), by_first(n);
  divide<T><<<blocks, 1>>>(a, b, y, by_first, n);
  y.fetch(), by_first.fetch();
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const float dividend = float(a.host[i]);
    const float divisors[] = {float(b.host[i]), float(b.host[i / width * width])};
    const T *results[] = {&y.host[i], &by_first.host[i]};
    for (int k = 0; k < 2; ++k) {
      const float wanted = float(T(dividend / divisors[k])), got = float(*results[k]);
      const bool same = wanted == got ? std::signbit(wanted) == std::signbit(got)
                                      : std::isnan(wanted) && std::isnan(got);
      if (!same && ++wrong <= 5)
        std::printf("error: %s: %a / %a = %a, not %a\n", name, dividend, divisors[k], wanted, got);
    }
  }
  run::failures += wrong;
  run::expect(name, y,
              [&](std::size_t i) { return double(float(T(float(a.host[i]) / float(b.host[i])))); });
}

int main() {
  check<float>("float");
  check<__half>("half");
  check<__nv_bfloat16>("bf16");
  return run::finish();
}
