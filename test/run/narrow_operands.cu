// Operands that a program widens to float before it multiplies them. Tensor cores multiply them in
// the type that they had; where one alone was widened, the other is a sum of three bf16 terms.
// Products of integers stay exact, and infinities and NaNs are those of a multiplication of floats.
#include "run.h"

#include <cuda_fp8.h>
#include <cuda_tile.h>

#include <limits>

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr float infinity = std::numeric_limits<float>::infinity(),
                nan_number = std::numeric_limits<float>::quiet_NaN();

template <int Rows, int Columns, class T> __tile__ auto view(T *p, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}},
                            ct::shape<Rows, Columns>{}};
}

// C (64 M, 64 N) = A (.., K) * B: each is read in its own type and multiplied as float.
template <class A, class B>
__tile__ void multiply(A *a, B *b, float *c, int k, bool is_b_transposed) {
  auto block = ct::bid();
  const int m = 64 * int(ct::num_blocks().x), n = 64 * int(ct::num_blocks().y);
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  for (auto i : ct::irange(0, k / 64)) {
    auto x = ct::element_cast<float>(view<64, 64>(a, m, k).load(block.x, i));
    if (is_b_transposed) {
      auto y = ct::element_cast<float>(view<64, 64>(b, n, k).load(block.y, i));
      sum = ct::mma(x, ct::transpose(y), sum);
    } else {
      auto y = ct::element_cast<float>(view<64, 64>(b, k, n).load(i, block.y));
      sum = ct::mma(x, y, sum);
    }
  }
  view<64, 64>(c, m, n).store(sum, block.x, block.y);
}

__tile_global__ void bfloats(__nv_bfloat16 *a, __nv_bfloat16 *b, float *c, int k) {
  multiply(a, b, c, k, true);
}
__tile_global__ void halves(__half *a, __half *b, float *c, int k) { multiply(a, b, c, k, false); }
__tile_global__ void bytes_by_halves(__nv_fp8_e4m3 *a, __half *b, float *c, int k) {
  multiply(a, b, c, k, false);
}
__tile_global__ void integers_by_bfloats(signed char *a, __nv_bfloat16 *b, float *c, int k) {
  multiply(a, b, c, k, true);
}
__tile_global__ void unsigned_bytes(unsigned char *a, __nv_bfloat16 *b, float *c, int k) {
  multiply(a, b, c, k, true);
}
__tile_global__ void unlike_bytes(__nv_fp8_e4m3 *a, __nv_fp8_e5m2 *b, float *c, int k) {
  multiply(a, b, c, k, true);
}
__tile_global__ void halves_by_bfloats(__half *a, __nv_bfloat16 *b, float *c, int k) {
  multiply(a, b, c, k, false);
}
__tile_global__ void left_float(float *a, __nv_bfloat16 *b, float *c, int k) {
  multiply(a, b, c, k, false);
}
__tile_global__ void float_by_halves(float *a, __half *b, float *c, int k) {
  multiply(a, b, c, k, true);
}
__tile_global__ void right_float(__nv_bfloat16 *a, float *b, float *c, int k) {
  multiply(a, b, c, k, true);
}
__tile_global__ void bytes_by_floats(__nv_fp8_e4m3 *a, float *b, float *c, int k) {
  multiply(a, b, c, k, false);
}

// Selected, broadcast and constant operands; an operand that is used as float, too.
__tile_global__ void selected(__nv_bfloat16 *a, __nv_bfloat16 *b, float *c, float *rest) {
  auto x = ct::element_cast<float>(view<64, 64>(a, 64, 64).load(0, 0));
  auto y =
      ct::element_cast<float>(ct::broadcast(view<1, 64>(b, 1, 64).load(0, 0), ct::shape<64, 64>{}));
  auto row = ct::reshape(ct::iota<ct::tile<int, ct::shape<64>>>(), ct::shape<64, 1>{});
  auto left = ct::select(row < 40, x, ct::full<decltype(x)>(0.5f));
  auto sum = ct::mma(left, y, ct::full<decltype(x)>(1.0f));
  view<64, 64>(c, 64, 64).store(sum, 0, 0);
  view<64, 64>(rest, 64, 64).store(x * 0.3f, 0, 0);
}

// A constant that is no bf16 number.
__tile_global__ void selected_tenths(__nv_bfloat16 *a, float *c) {
  auto x = ct::element_cast<float>(view<64, 64>(a, 64, 64).load(0, 0));
  auto row = ct::reshape(ct::iota<ct::tile<int, ct::shape<64>>>(), ct::shape<64, 1>{});
  auto left = ct::select(row < 40, x, ct::full<decltype(x)>(0.1f));
  view<64, 64>(c, 64, 64).store(ct::mma(left, x, ct::zeros<decltype(x)>()), 0, 0);
}

// Each of forty selections is chosen of the one before in two orders: 2^40 ways lead to the read.
__tile_global__ void many_ways(__nv_bfloat16 *a, float *c, int n) {
  auto x = ct::element_cast<float>(view<64, 64>(a, 64, 64).load(0, 0));
  auto row = ct::reshape(ct::iota<ct::tile<int, ct::shape<64>>>(), ct::shape<64, 1>{});
#define SELECT_ONCE(I) x = ct::select(row < n + I, x, ct::transpose(x));
#define SELECT_FOUR(I) SELECT_ONCE(I) SELECT_ONCE(I + 1) SELECT_ONCE(I + 2) SELECT_ONCE(I + 3)
#define SELECT_TWENTY(I)                                                                           \
  SELECT_FOUR(I) SELECT_FOUR(I + 4) SELECT_FOUR(I + 8) SELECT_FOUR(I + 12) SELECT_FOUR(I + 16)
  SELECT_TWENTY(0)
  SELECT_TWENTY(20) view<64, 64>(c, 64, 64).store(ct::mma(x, x, ct::zeros<decltype(x)>()), 0, 0);
}

// Rounded to bf16 in between: not a widened half.
__tile_global__ void rounded(__half *a, __half *b, float *c) {
  auto x =
      ct::element_cast<float>(ct::element_cast<__nv_bfloat16>(view<64, 64>(a, 64, 64).load(0, 0)));
  auto y = ct::element_cast<float>(view<64, 64>(b, 64, 64).load(0, 0));
  view<64, 64>(c, 64, 64).store(ct::mma(x, y, ct::zeros<decltype(x)>()), 0, 0);
}

// As attention multiplies: weights that are computed, by values that were widened.
__tile_global__ void weighted(__nv_bfloat16 *q, __nv_bfloat16 *v, float *c, int keys) {
  using square = ct::tile<float, ct::shape<64, 64>>;
  auto query = ct::element_cast<float>(view<64, 64>(q, 64, 64).load(0, 0));
  auto sum = ct::zeros<square>();
  for (auto i : ct::irange(0, keys / 64)) {
    auto value = ct::element_cast<float>(view<64, 64>(v, keys, 64).load(i, 0));
    auto scores = ct::mma(query, ct::transpose(value), ct::zeros<square>());
    sum = ct::mma(ct::exp2(scores * -0.125f), value, sum);
  }
  view<64, 64>(c, 64, 64).store(sum, 0, 0);
}

// The same for 16 queries at a time, transposed: the weights are the right operand, of 16 columns,
// and keys and values are one tile.
__tile_global__ void weighted_across(__nv_bfloat16 *q, __nv_bfloat16 *v, float *c, int keys) {
  auto query = ct::element_cast<float>(view<16, 64>(q, 16, 64).load(0, 0));
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 16>>>();
  for (auto i : ct::irange(0, keys / 64)) {
    auto value = ct::element_cast<float>(view<64, 64>(v, keys, 64).load(i, 0));
    auto scores = ct::mma(value, ct::transpose(query), ct::zeros<decltype(sum)>());
    sum = ct::mma(ct::transpose(value), ct::exp2(scores * -0.125f), sum);
  }
  view<64, 16>(c, 64, 16).store(sum, 0, 0);
}

// The same in bf16: no operand was widened.
__tile_global__ void rounded_across(__nv_bfloat16 *q, __nv_bfloat16 *v, float *c, int keys) {
  auto query = view<16, 64>(q, 16, 64).load(0, 0);
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 16>>>();
  for (auto i : ct::irange(0, keys / 64)) {
    auto value = view<64, 64>(v, keys, 64).load(i, 0);
    auto scores = ct::mma(value, ct::transpose(query), ct::zeros<decltype(sum)>());
    auto weights = ct::element_cast<__nv_bfloat16>(scores * -0.125f);
    sum = ct::mma(ct::transpose(value), weights, sum);
  }
  view<64, 16>(c, 64, 16).store(sum, 0, 0);
}

template <class A, class B, class Kernel>
void check(const char *name, Kernel kernel, int m, int n, int k, bool is_b_transposed,
           A (*left)(std::size_t), B (*right)(std::size_t), double bound) {
  run::array<A> a(std::size_t(m) * k, left);
  run::array<B> b(std::size_t(k) * n, right);
  run::array<float> c(std::size_t(m) * n);
  kernel(dim3(m / 64, n / 64), a, b, c, k);
  run::expect(
      name, c,
      [&](std::size_t i) {
        double sum = 0;
        for (int j = 0; j < k; ++j)
          sum += a[i / n * k + j] * b[is_b_transposed ? i % n * k + j : std::size_t(j) * n + i % n];
        return sum;
      },
      bound);
}

template <class T> T small(std::size_t i) { return T(float(run::small(i))); }
template <class T> T other(std::size_t i) { return T(float(run::small(i * 5 + 3))); }
unsigned char unsigned_byte(std::size_t i) { return (unsigned char)(i * 37 % 256); }
signed char byte(std::size_t i) { return (signed char)(i * 37 % 256 - 128); }
__nv_fp8_e4m3 fp8(std::size_t i) { return __nv_fp8_e4m3(float(i * 7 % 15) - 7); }
__nv_fp8_e5m2 fp8_wide(std::size_t i) { return __nv_fp8_e5m2(float(i % 5) - 2); }
// Of 11 bits of fraction.
__half tenths(std::size_t i) { return __half(float(i % 31) / 16 + 1.0f / 1024); }
// Integers of 13 bits, whose products by small numbers have exact sums.
float integer(std::size_t i) { return float(i * 2654435761u >> 9 & 0x1fff) - 4096; }
float fraction(std::size_t i) { return std::sin(float(i)) * 3; }

#define LAUNCH(KERNEL)                                                                             \
  [](dim3 grid, auto &a, auto &b, auto &c, int k) { KERNEL<<<grid, 1>>>(a, b, c, k); }

int main() {
  check("bfloats", LAUNCH(bfloats), 128, 128, 128, true, small<__nv_bfloat16>, other<__nv_bfloat16>,
        0);
  check("halves", LAUNCH(halves), 64, 128, 192, false, small<__half>, other<__half>, 0);
  check("bytes_by_halves", LAUNCH(bytes_by_halves), 64, 64, 128, false, fp8, small<__half>, 0);
  check("integers_by_bfloats", LAUNCH(integers_by_bfloats), 64, 64, 128, true, byte,
        small<__nv_bfloat16>, 0);
  check("unsigned_bytes", LAUNCH(unsigned_bytes), 64, 64, 128, true, unsigned_byte,
        small<__nv_bfloat16>, 0);
  check("unlike_bytes", LAUNCH(unlike_bytes), 64, 64, 64, true, fp8, fp8_wide, 0);
  check("halves_by_bfloats", LAUNCH(halves_by_bfloats), 64, 64, 64, false, small<__half>,
        other<__nv_bfloat16>, 0);
  check("left_float", LAUNCH(left_float), 128, 64, 128, false, integer, small<__nv_bfloat16>, 0);
  check("float_by_halves", LAUNCH(float_by_halves), 64, 64, 128, true, small<float>, tenths, 0);
  check("integer_by_halves", LAUNCH(float_by_halves), 64, 64, 128, true, integer, tenths, 2e-6);
  check("fraction_by_halves", LAUNCH(float_by_halves), 64, 64, 128, true, fraction, tenths, 2e-6);
  check("right_float", LAUNCH(right_float), 64, 64, 64, true, small<__nv_bfloat16>, integer, 0);
  check("bytes_by_floats", LAUNCH(bytes_by_floats), 64, 64, 64, false, fp8, integer, 0);
  check("left_fraction", LAUNCH(left_float), 64, 64, 256, false, fraction, small<__nv_bfloat16>,
        2e-6);

  run::array<__nv_bfloat16> x(64 * 64, small<__nv_bfloat16>), row(64, other<__nv_bfloat16>);
  run::array<float> c(64 * 64), rest(64 * 64);
  selected<<<1, 1>>>(x, row, c, rest);
  run::expect(
      "selected", c,
      [&](std::size_t i) {
        double sum = 0;
        for (std::size_t j = 0; j < 64; ++j)
          sum += i / 64 < 40 ? x[i / 64 * 64 + j] : 0.5;
        return 1 + sum * row[i % 64];
      },
      0);
  run::expect("rest", rest, [&](std::size_t i) { return float(x[i]) * 0.3f; });

  selected_tenths<<<1, 1>>>(x, c);
  run::expect(
      "selected_tenths", c,
      [&](std::size_t i) {
        double sum = 0;
        for (std::size_t j = 0; j < 64; ++j)
          sum += (i / 64 < 40 ? x[i / 64 * 64 + j] : double(0.1f)) * x[j * 64 + i % 64];
        return sum;
      },
      1e-6);

  std::vector<double> chosen(64 * 64), before;
  for (std::size_t i = 0; i < 64 * 64; ++i)
    chosen[i] = x[i];
  for (std::size_t step = 0; step < 40; ++step) {
    before = chosen;
    for (std::size_t i = 0; i < 64 * 64; ++i)
      chosen[i] = before[i / 64 < 12 + step ? i : i % 64 * 64 + i / 64];
  }
  many_ways<<<1, 1>>>(x, c, 12);
  run::expect(
      "many_ways", c,
      [&](std::size_t i) {
        double sum = 0;
        for (std::size_t j = 0; j < 64; ++j)
          sum += chosen[i / 64 * 64 + j] * chosen[j * 64 + i % 64];
        return sum;
      },
      0);

  run::array<__half> first(64 * 64, [](std::size_t i) { return __half(1 + float(i % 64) / 1024); }),
      ones(64 * 64, [](std::size_t i) { return __half(i / 64 == i % 64); });
  rounded<<<1, 1>>>(first, ones, c);
  run::expect(
      "rounded", c, [&](std::size_t i) { return float(__nv_bfloat16(float(first[i]))); }, 0);

  run::array<__nv_bfloat16> query(64 * 64, small<__nv_bfloat16>),
      value(192 * 64, other<__nv_bfloat16>);
  weighted<<<1, 1>>>(query, value, c, 192);
  run::expect("weighted", c, [&](std::size_t i) {
    double sum = 0;
    for (std::size_t key = 0; key < 192; ++key) {
      double score = 0;
      for (std::size_t j = 0; j < 64; ++j)
        score += query[i / 64 * 64 + j] * value[key * 64 + j];
      sum += std::exp2(score * -0.125) * value[key * 64 + i % 64];
    }
    return sum;
  });

  auto across = [&](std::size_t i, auto weight) {
    double sum = 0;
    for (std::size_t key = 0; key < 192; ++key) {
      double score = 0;
      for (std::size_t j = 0; j < 64; ++j)
        score += query[i % 16 * 64 + j] * value[key * 64 + j];
      sum += weight(score * -0.125) * value[key * 64 + i / 16];
    }
    return sum;
  };
  run::array<float> turned(64 * 16);
  weighted_across<<<1, 1>>>(query, value, turned, 192);
  run::expect("weighted_across", turned,
              [&](std::size_t i) { return across(i, [](double x) { return std::exp2(x); }); });
  rounded_across<<<1, 1>>>(query, value, turned, 192);
  run::expect(
      "rounded_across", turned,
      [&](std::size_t i) {
        return across(i, [](double x) { return double(float(__nv_bfloat16(float(x)))); });
      },
      2e-5);

  // Row i of A has number i in column 0, row 0 of B has number j: C is their table of products.
  const float left[] = {0.0f,    -0.0f,    1.0f,     -1.5f,          1.00390625f, 3.0000002f,
                        -1e-30f, 1e-38f,   3e38f,    infinity,       -infinity,   nan_number,
                        0.1f,    -7.0e-3f, 65536.0f, 1.17549435e-38f};
  const float right[] = {0.0f, 1.0f, -2.0f, infinity, -infinity, nan_number, 0.5f, -0.0f};
  run::array<float> a(64 * 64, [&](std::size_t i) {
    return i % 64 ? 0.0f : i / 64 < 16 ? left[i / 64] : 1.0f;
  });
  run::array<__nv_bfloat16> b(64 * 64, [&](std::size_t i) {
    return __nv_bfloat16(i < 8 ? right[i] : i < 64 ? 1.0f : 0.0f);
  });
  auto in_table = [&](std::size_t i) { return float(a[i / 64 * 64]) * float(b[i % 64]); };
  left_float<<<dim3(1, 1), 1>>>(a, b, c, 64);
  c.fetch();
  for (std::size_t i = 0; i < 64 * 64; ++i) {
    const float number = std::abs(float(a[i / 64 * 64])), factor = std::abs(float(b[i % 64]));
    if (number > 0 && number < 0x1p-69f && std::isinf(factor))
      continue; // a NaN on tensor cores
    const float got = float(c[i]), wanted = in_table(i);
    if (!run::near(got, wanted, std::abs(wanted) * 1e-6 + factor * 0x1p-132)) {
      std::printf("wrong: table[%zu] is %.9g, should be %.9g\n", i, got, wanted);
      ++run::failures;
    }
  }
  return run::finish();
}
