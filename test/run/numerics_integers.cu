// Arithmetic of integers is the same on every target: every operation in every type, of tiles and
// of scalars, and conversions to floating point.
//
// What is undefined in the language is left out: division by 0, the smallest number by -1.
#include "numerics.h"

using namespace numerics;

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

#define INTEGER_SCALARS(X)                                                                         \
  X("add", ct::add(a, b))                                                                          \
  X("mul", ct::mul(a, b))                                                                          \
  X("div", ct::div(a, d))                                                                          \
  X("remainder", ct::remainder(a, d))                                                              \
  X("min", ct::min(a, b))                                                                          \
  X("max", ct::max(a, b))                                                                          \
  X("min with a constant", ct::min(a, T(1)))                                                       \
  X("abs", ct::abs(a))                                                                             \
  X("mulhi", ct::mulhi(a, b))                                                                      \
  X("floordiv", ct::floordiv(a, d))                                                                \
  X("ceildiv", ct::ceildiv(a, d))

template <class T> __tile_global__ void integer_scalars(const T *x, const T *y, bits *out, int n) {
  for (int i = 0; i < n; ++i) {
    T a = x[i], b = y[i], d = b == T(0) || b == T(-1) ? T(1) : b;
    int k = 0;
    INTEGER_SCALARS(KEEP_SCALAR)
  }
}

template <class T> void check_integers(const std::string &type) {
  operands<T> in;
  constexpr int n = in.count, blocks = n / width;
  REPORT(type, INTEGER_OPERATIONS, n, &in, (integers<T><<<blocks, 1>>>(in.x, in.y, out, n)))
  REPORT(type, TO_FLOATS, n, &in, (from_others<T><<<blocks, 1>>>(in.x, out, n)))
  REPORT(type + " scalar", INTEGER_SCALARS, scalar_count, &in,
         (integer_scalars<T><<<1, 1>>>(in.x, in.y, out, scalar_count)))
}

int main(int argc, char **argv) {
  chosen = argc > 1 ? argv[1] : nullptr;
  check_integers<bool>("bool");
  check_integers<signed char>("s8");
#ifdef ALL_CASES
  check_integers<unsigned char>("u8");
  check_integers<short>("s16");
#endif
  check_integers<unsigned short>("u16");
  check_integers<int>("s32");
  check_integers<unsigned>("u32");
  check_integers<long long>("s64");
  check_integers<unsigned long long>("u64");
  return run::finish();
}
