// Arithmetic with one right answer is the same to the last bit on every target: every operation in
// every element type, rounding and subnormals mode, on values dense in special ones.
//
// What is undefined in the language is left out: division by 0, the smallest number by -1.
#include "numerics.h"

using namespace numerics;

#define LOAD(NAME)                                                                                 \
  ct::load(NAME + int(ct::bid().x) * width + ct::iota<ct::tile<int, ct::shape<width>>>())
#define KEEP(NAME, ...) keep.keep(__VA_ARGS__);
#define NAME_OF(NAME, ...) NAME,

// ---- floating point
#define IN_MODE(X, TEXT, ...)                                                                      \
  X("add" TEXT, ct::add(a, b, __VA_ARGS__))                                                        \
  X("sub" TEXT, ct::sub(a, b, __VA_ARGS__))                                                        \
  X("mul" TEXT, ct::mul(a, b, __VA_ARGS__))                                                        \
  X("div" TEXT, ct::div(a, b, __VA_ARGS__))                                                        \
  X("sqrt" TEXT, ct::sqrt(a, __VA_ARGS__))                                                         \
  X("fma" TEXT, ct::fma(a, b, c, __VA_ARGS__))
#define IN_EVERY_MODE(X, TEXT, ...)                                                                \
  IN_MODE(X, " rn" TEXT, ct::round_ties_to_even_t{} __VA_ARGS__)                                   \
  IN_MODE(X, " rz" TEXT, ct::round_toward_zero_t{} __VA_ARGS__)                                    \
  IN_MODE(X, " rm" TEXT, ct::round_toward_negative_t{} __VA_ARGS__)                                \
  IN_MODE(X, " rp" TEXT, ct::round_toward_positive_t{} __VA_ARGS__)
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
#define FLUSHED_OPERATIONS(X)                                                                      \
  X("min ftz", ct::min(a, b, ct::suppress_nan_t{}, ct::round_subnormals_to_zero_t{}))              \
  X("max nan ftz", ct::max(a, b, ct::propagate_nan_t{}, ct::round_subnormals_to_zero_t{}))         \
  IN_EVERY_MODE(X, " ftz", , ct::round_subnormals_to_zero_t{})

template <class T>
__tile_global__ void floats(const T *x, const T *y, const T *z, bits *out, int n) {
  auto a = LOAD(x), b = LOAD(y), c = LOAD(z);
  results keep{out, n};
  FLOAT_OPERATIONS(KEEP)
}

__tile_global__ void flushed(const float *x, const float *y, const float *z, bits *out, int n) {
  auto a = LOAD(x), b = LOAD(y), c = LOAD(z);
  results keep{out, n};
  FLUSHED_OPERATIONS(KEEP)
}

// ---- integers
#define INTEGER_OPERATIONS(X)                                                                      \
  X("+", a + b)                                                                                    \
  X("-", a - b)                                                                                    \
  X("*", a *b)                                                                                     \
  X("/", a / d)                                                                                    \
  X("%", a % d)                                                                                    \
  X("&", a &b)                                                                                     \
  X("|", a | b)                                                                                    \
  X("^", a ^ b)                                                                                    \
  X("~", ~a)                                                                                       \
  X("negated", -a)                                                                                 \
  X("<<", a << n)                                                                                  \
  X(">>", a >> n)                                                                                  \
  X("min", ct::min(a, b))                                                                          \
  X("max", ct::max(a, b))                                                                          \
  X("abs", ct::abs(a))                                                                             \
  X("mulhi", ct::mulhi(a, b))                                                                      \
  X("floordiv", ct::floordiv(a, d))                                                                \
  X("ceildiv", ct::ceildiv(a, d))                                                                  \
  X("<", a < b)                                                                                    \
  X("==", a == b)                                                                                  \
  X(">=", a >= b)

template <class T> __tile_global__ void integers(const T *x, const T *y, bits *out, int count) {
  auto a = LOAD(x), b = LOAD(y);
  using tile = decltype(a);
  auto one = ct::ones<tile>(), zero = ct::zeros<tile>();
  auto d = ct::select(b == zero || b == zero - one, one, b);
  // Counts up to twice the width, or 0 and 1.
  auto n = b & (one * T(std::is_same_v<T, bool> ? 1 : 16 * sizeof(T) - 1));
  results keep{out, count};
  INTEGER_OPERATIONS(KEEP)
}

// ---- conversions: of numbers that every type can hold, and of all numbers between floats
#define TO_INTEGER(X, T)                                                                           \
  X("to " #T,                                                                                      \
    ct::element_cast<T>(std::is_signed_v<T> ? within : ct::abs(within)))
#define TO_INTEGERS(X)                                                                             \
  TO_INTEGER(X, signed char)                                                                       \
  TO_INTEGER(X, unsigned char)                                                                     \
  TO_INTEGER(X, short)                                                                             \
  TO_INTEGER(X, unsigned)                                                                          \
  TO_INTEGER(X, long long)                                                                         \
  TO_INTEGER(X, unsigned long long)                                                                \
  X("to bool", ct::element_cast<bool>(a))
#define TO_FLOATS(X)                                                                               \
  X("to half", ct::element_cast<__half>(a))                                                        \
  X("to bf16", ct::element_cast<__nv_bfloat16>(a))                                                 \
  X("to tf32", ct::element_cast<__nv_tf32>(a))                                                     \
  X("to float", ct::element_cast<float>(a))                                                        \
  X("to double", ct::element_cast<double>(a))                                                      \
  X("to e4m3", ct::element_cast<__nv_fp8_e4m3>(a))                                                 \
  X("to e5m2", ct::element_cast<__nv_fp8_e5m2>(a))                                                 \
  X("to e8m0", ct::element_cast<__nv_fp8_e8m0>(a))                                                 \
  X("to e2m1", ct::element_cast<__nv_fp4_e2m1>(a))
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

template <class T> __tile_global__ void from_others(const T *x, bits *out, int n) {
  auto a = LOAD(x);
  results keep{out, n};
  TO_FLOATS(KEEP)
}

// ---- the same operations of scalars
#define FLOAT_SCALARS(X)                                                                           \
  X("min", ct::min(a, b))                                                                          \
  X("max nan", ct::max(a, b, ct::propagate_nan_t{}))                                               \
  X("abs", ct::abs(a))                                                                             \
  X("remainder", ct::remainder(a, b))                                                              \
  X("floor", ct::floor(a))                                                                         \
  IN_MODE(X, " rn", ct::round_ties_to_even_t{})                                                    \
  IN_MODE(X, " rp", ct::round_toward_positive_t{})
#define INTEGER_SCALARS(X)                                                                         \
  X("div", ct::div(a, d))                                                                          \
  X("remainder", ct::remainder(a, d))                                                              \
  X("min", ct::min(a, b))                                                                          \
  X("max", ct::max(a, b))                                                                          \
  X("min with a constant", ct::min(a, T(1)))                                                       \
  X("abs", ct::abs(a))                                                                             \
  X("mulhi", ct::mulhi(a, b))                                                                      \
  X("floordiv", ct::floordiv(a, d))                                                                \
  X("ceildiv", ct::ceildiv(a, d))

template <class T> using scalar = ct::tile<T, ct::shape<>>;
#define KEEP_SCALAR(NAME, ...)                                                                     \
  out[k++ * n + i] = bits(scalar<bits>(as_bits(scalar<T>(__VA_ARGS__))));
template <class T>
__tile_global__ void float_scalars(const T *x, const T *y, const T *z, bits *out, int n) {
  for (int i = 0; i < n; ++i) {
    T a = x[i], b = y[i], c = z[i];
    int k = 0;
    FLOAT_SCALARS(KEEP_SCALAR)
  }
}
template <class T> __tile_global__ void integer_scalars(const T *x, const T *y, bits *out, int n) {
  for (int i = 0; i < n; ++i) {
    T a = x[i], b = y[i], d = b == T(0) || b == T(-1) ? T(1) : b;
    int k = 0;
    INTEGER_SCALARS(KEEP_SCALAR)
  }
}

const char *chosen;
constexpr int scalar_count = 256;

#define REPORT(TYPE, LIST, COUNT, IN, ...)                                                         \
  {                                                                                                \
    const char *const names[] = {LIST(NAME_OF)};                                                   \
    constexpr int count = COUNT;                                                                   \
    run::array<bits> out(std::size_t(count) * (sizeof names / sizeof *names));                     \
    __VA_ARGS__;                                                                                   \
    report(TYPE, names, out, IN, chosen);                                                          \
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

template <class T> void check_integers(const std::string &type) {
  operands<T> in;
  constexpr int n = in.count, blocks = n / width;
  REPORT(type, INTEGER_OPERATIONS, n, &in, (integers<T><<<blocks, 1>>>(in.x, in.y, out, n)))
  REPORT(type, TO_FLOATS, n, &in, (from_others<T><<<blocks, 1>>>(in.x, out, n)))
  REPORT(type + " scalar", INTEGER_SCALARS, scalar_count, &in,
         (integer_scalars<T><<<1, 1>>>(in.x, in.y, out, scalar_count)))
}

template <class T> void check_codes(const std::string &type, int codes) {
  constexpr int n = 256;
  run::array<T> x(n);
  for (int i = 0; i < n; ++i)
    x.host[i] = from_bits<T>(i % codes);
  run::require(cudaMemcpy(x.device, x.host.get(), n, cudaMemcpyHostToDevice));
  REPORT(type, TO_FLOATS, n, static_cast<const operands<int> *>(nullptr),
         (from_others<T><<<n / width, 1>>>(x, out, n)))
}

int main(int argc, char **argv) {
  chosen = argc > 1 ? argv[1] : nullptr;
  check_floats<float>("f32");
  check_floats<double>("f64");
  check_floats<__half>("f16");
  check_floats<__nv_bfloat16>("bf16");
  operands<float> in;
  REPORT("f32", FLUSHED_OPERATIONS, in.count, &in,
         (flushed<<<in.count / width, 1>>>(in.x, in.y, in.z, out, in.count)))
  check_integers<bool>("bool");
  check_integers<signed char>("s8");
  check_integers<unsigned char>("u8");
  check_integers<short>("s16");
  check_integers<unsigned short>("u16");
  check_integers<int>("s32");
  check_integers<unsigned>("u32");
  check_integers<long long>("s64");
  check_integers<unsigned long long>("u64");
  check_codes<__nv_fp8_e4m3>("e4m3", 256);
  check_codes<__nv_fp8_e5m2>("e5m2", 256);
  check_codes<__nv_fp8_e8m0>("e8m0", 256);
  check_codes<__nv_fp4_e2m1>("e2m1", 16);
  return run::finish();
}
