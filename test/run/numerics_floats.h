// Every operation of floating point with one right answer, in every mode, for a program per type.
#pragma once
#include "numerics.h"

namespace numerics {

#define IN_MODE(X, TEXT, ...)                                                                      \
  X("add" TEXT, ct::add(a, b, __VA_ARGS__))                                                        \
  X("sub" TEXT, ct::sub(a, b, __VA_ARGS__))                                                        \
  X("mul" TEXT, ct::mul(a, b, __VA_ARGS__))                                                        \
  X("div" TEXT, ct::div(a, b, __VA_ARGS__))                                                        \
  X("sqrt" TEXT, ct::sqrt(a, __VA_ARGS__))                                                         \
  X("fma" TEXT, ct::fma(a, b, c, __VA_ARGS__))
#define IN_EVERY_MODE(X, TEXT, ...)                                                                \
  IN_MODE(X, " rn" TEXT, ct::round_ties_to_even_t {} __VA_ARGS__)                                  \
  IN_MODE(X, " rz" TEXT, ct::round_toward_zero_t {} __VA_ARGS__)                                   \
  IN_MODE(X, " rm" TEXT, ct::round_toward_negative_t {} __VA_ARGS__)                               \
  IN_MODE(X, " rp" TEXT, ct::round_toward_positive_t {} __VA_ARGS__)
#define FLOAT_OPERATIONS(X)                                                                        \
  X("+", a + b)                                                                                    \
  X("-", a - b)                                                                                    \
  X("*", a *b)                                                                                     \
  X("/", a / b)                                                                                    \
  X("negated", -a)                                                                                 \
  X("remainder", ct::remainder(a, b))                                                              \
  X("min", ct::min(a, b))                                                                          \
  X("max", ct::max(a, b))                                                                          \
  X("min nan", ct::min(a, b, ct::propagate_nan_t{}))                                               \
  X("max nan", ct::max(a, b, ct::propagate_nan_t{}))                                               \
  X("abs", ct::abs(a))                                                                             \
  X("ceil", ct::ceil(a))                                                                           \
  X("floor", ct::floor(a))                                                                         \
  X("isinf", ct::isinf(a))                                                                         \
  X("<", a < b)                                                                                    \
  X("==", a == b)                                                                                  \
  X("!=", a != b)                                                                                  \
  X(">=", a >= b)                                                                                  \
  IN_EVERY_MODE(X, "")
template <class T>
__tile_global__ void floats(const T *x, const T *y, const T *z, bits *out, int n) {
  auto a = LOAD(x), b = LOAD(y), c = LOAD(z);
  results keep{out, n};
  FLOAT_OPERATIONS(KEEP)
}

// Conversions to integers, of numbers that every type can hold.
#define TO_INTEGER(X, T)                                                                           \
  X("to " #T, ct::element_cast<T>(std::is_signed_v<T> ? within : ct::abs(within)))
#define TO_INTEGERS(X)                                                                             \
  TO_INTEGER(X, signed char)                                                                       \
  TO_INTEGER(X, unsigned char)                                                                     \
  TO_INTEGER(X, short)                                                                             \
  TO_INTEGER(X, unsigned)                                                                          \
  TO_INTEGER(X, long long)                                                                         \
  TO_INTEGER(X, unsigned long long)                                                                \
  X("to bool", ct::element_cast<bool>(a))
#define TO_FLOATS_ROUNDED(X)                                                                       \
  X("to half rz", ct::element_cast<__half>(a, ct::round_toward_zero_t{}))                          \
  X("to bf16 rz", ct::element_cast<__nv_bfloat16>(a, ct::round_toward_zero_t{}))                   \
  X("to tf32 rz", ct::element_cast<__nv_tf32>(a, ct::round_toward_zero_t{}))                       \
  X("to float rz", ct::element_cast<float>(a, ct::round_toward_zero_t{}))                          \
  X("to float rm", ct::element_cast<float>(a, ct::round_toward_negative_t{}))                      \
  X("to float rp", ct::element_cast<float>(a, ct::round_toward_positive_t{}))

template <class T> __tile_global__ void from_floats(const T *x, bits *out, int n) {
  auto a = LOAD(x);
  using tile = decltype(a);
  auto within = ct::min(ct::max(a, ct::full<tile>(T(-100.f))), ct::full<tile>(T(100.f)));
  results keep{out, n};
  TO_INTEGERS(KEEP)
  TO_FLOATS(KEEP)
  TO_FLOATS_ROUNDED(KEEP)
}

// Scalars.
#define FLOAT_SCALARS(X)                                                                           \
  X("min", ct::min(a, b))                                                                          \
  X("max nan", ct::max(a, b, ct::propagate_nan_t{}))                                               \
  X("abs", ct::abs(a))                                                                             \
  X("remainder", ct::remainder(a, b))                                                              \
  X("floor", ct::floor(a))                                                                         \
  IN_MODE(X, " rn", ct::round_ties_to_even_t{})                                                    \
  IN_MODE(X, " rp", ct::round_toward_positive_t{})
template <class T>
__tile_global__ void float_scalars(const T *x, const T *y, const T *z, bits *out, int n) {
  for (int i = 0; i < n; ++i) {
    T a = x[i], b = y[i], c = z[i];
    int k = 0;
    FLOAT_SCALARS(KEEP_SCALAR)
  }
}
#define ALL_FROM_FLOATS(X) TO_INTEGERS(X) TO_FLOATS(X) TO_FLOATS_ROUNDED(X)

template <class T> void check_floats(const std::string &type) {
  operands<T> in;
  constexpr int n = in.count, blocks = n / width;
  REPORT(type, FLOAT_OPERATIONS, n, &in, (floats<T><<<blocks, 1>>>(in.x, in.y, in.z, out, n)))
  REPORT(type, ALL_FROM_FLOATS, n, &in, (from_floats<T><<<blocks, 1>>>(in.x, out, n)))
  REPORT(type + " scalar", FLOAT_SCALARS, scalar_count, &in,
         (float_scalars<T><<<1, 1>>>(in.x, in.y, in.z, out, scalar_count)))
}

} // namespace numerics
