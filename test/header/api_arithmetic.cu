// Every form of the arithmetic operations, and what they refuse. [tile:arithmetic_operations]
// RUN: %clang_tile -fsyntax-only %s
#include "tiles.h"

constexpr auto rz = ct::rounding_mode::round_toward_zero;
constexpr auto flush = ct::subnormals_rounding_mode::round_subnormals_to_zero;
constexpr auto nan_mode = ct::nan_propagation_mode::propagate_nan;

// NAME(l, r), NAME(l, r, rounding), NAME(l, r, rounding, subnormals), and as template arguments.
#define ROUNDED(NAME, OPERATOR)                                                                    \
  template <class L, class R, class... M>                                                          \
  concept can_##NAME = requires(L l, R r, M... m) { ct::NAME(l, r, m...); };                       \
  template <class L, class R>                                                                      \
  concept has_##NAME##_operator = requires(L l, R r) { l OPERATOR r; };                            \
  static_assert(can_##NAME<F4, F4> && can_##NAME<F4, int> && can_##NAME<int, int>);                \
  static_assert(can_##NAME<B4, B4> && can_##NAME<I4, short> && can_##NAME<I4, tile<int, 2, 1>>);   \
  static_assert(!can_##NAME<F4, double> && !can_##NAME<I4, float> && !can_##NAME<I4, unsigned>);   \
  static_assert(!can_##NAME<T4, T4> && !can_##NAME<E4, E4> && !can_##NAME<P4, int>);               \
  static_assert(!can_##NAME<H4, tile<__nv_bfloat16, 4>> && !can_##NAME<I4, tile<int, 2>>);         \
  static_assert(can_##NAME<F4, F4, Even> && can_##NAME<D4, D4, Down> && can_##NAME<H4, H4, Up>);   \
  static_assert(can_##NAME<F4, int, RZ, Flush> && can_##NAME<F4, F4, RZ, Keep>);                   \
  static_assert(!can_##NAME<D4, D4, RZ, Flush> && !can_##NAME<H4, H4, RZ, Flush>);                 \
  static_assert(!can_##NAME<F4, F4, Flush> && !can_##NAME<I4, I4, RZ>);                            \
  static_assert(has_##NAME##_operator<F4, F4> && has_##NAME##_operator<F4, int>);                  \
  static_assert(has_##NAME##_operator<int, I4> && !has_##NAME##_operator<T4, T4>);                 \
  static_assert(!has_##NAME##_operator<F4, double>);                                               \
  __tile__ void NAME##_forms(F4 x, tile<float, 2, 1> y) {                                          \
    static_assert(same<decltype(ct::NAME(x, y)), tile<float, 2, 4>> && noexcept(ct::NAME(x, y)));  \
    static_assert(same<decltype(x OPERATOR y), tile<float, 2, 4>> && noexcept(x OPERATOR y));      \
    static_assert(same<decltype(ct::NAME(1.0f, 2)), float>);                                       \
    (void)ct::NAME<rz>(x, y, {});                                                                  \
    (void)ct::NAME<rz, flush>(x, y, {}, {});                                                       \
    (void)ct::NAME<rz>(0.0, 1.0, {});                                                              \
  }

ROUNDED(add, +)
ROUNDED(sub, -)
ROUNDED(mul, *)
ROUNDED(div, /)
static_assert(!can_add<F4, F4, Fast> && !can_sub<F4, F4, Full> && !can_mul<F4, F4, Fast>);
static_assert(can_div<F4, F4, Fast> && can_div<F4, F4, Full, Flush> && can_div<float, float, Fast>);
static_assert(!can_div<D4, D4, Fast> && !can_div<H4, H4, Full>);

// Integers only.
template <class L, class R>
concept can_modulo = requires(L l, R r) { l % r; };
template <class L, class R>
concept can_and = requires(L l, R r) { l & r; };
template <class L, class R>
concept can_or = requires(L l, R r) { l | r; };
template <class L, class R>
concept can_xor = requires(L l, R r) { l ^ r; };
static_assert(can_modulo<I4, int> && can_modulo<B4, B4> && !can_modulo<F4, F4>);
static_assert(can_and<I4, I4> && can_or<B4, bool> && can_xor<I4, char> && !can_and<F4, F4>);
static_assert(!can_and<tile<unsigned, 4>, int> && !can_or<F4, F4> && !can_xor<P4, P4>);
template <class L, class R>
concept can_shl = requires(L l, R r) { l << r; };
template <class L, class R>
concept can_shr = requires(L l, R r) { l >> r; };
static_assert(can_shl<tile<unsigned, 4>, int> && can_shr<unsigned, I4> && can_shl<B4, int>);
static_assert(can_shr<I4, long long> && !can_shl<F4, int> && !can_shr<I4, float>);

#define INTEGRAL(NAME)                                                                             \
  template <class L, class R>                                                                      \
  concept can_##NAME = requires(L l, R r) { ct::NAME(l, r); };                                     \
  static_assert(can_##NAME<I4, I4> && can_##NAME<I4, int> && can_##NAME<int, int>);                \
  static_assert(can_##NAME<B4, B4> && !can_##NAME<F4, F4> && !can_##NAME<int, unsigned>);
INTEGRAL(floordiv)
INTEGRAL(ceildiv)
INTEGRAL(mulhi)
template <class L, class R>
concept can_remainder = requires(L l, R r) { ct::remainder(l, r); };
static_assert(can_remainder<F4, int> && can_remainder<I4, I4> && can_remainder<float, float>);
static_assert(!can_remainder<T4, T4>);

#define EXTREME(NAME)                                                                              \
  template <class L, class R, class... M>                                                          \
  concept can_##NAME = requires(L l, R r, M... m) { ct::NAME(l, r, m...); };                       \
  static_assert(can_##NAME<I4, int> && can_##NAME<int, int> && can_##NAME<F4, F4, Nan>);           \
  static_assert(can_##NAME<F4, F4, NoNan, Flush> && can_##NAME<D4, D4, Nan, Keep>);                \
  static_assert(!can_##NAME<D4, D4, Nan, Flush> && !can_##NAME<I4, I4, Nan>);                      \
  static_assert(!can_##NAME<int, unsigned> && !can_##NAME<T4, T4> && !can_##NAME<F4, F4, RZ>);     \
  __tile__ void NAME##_forms(F4 x) {                                                               \
    (void)ct::NAME<nan_mode>(x, x, {});                                                            \
    (void)ct::NAME<nan_mode, flush>(x, x, {}, {});                                                 \
  }
EXTREME(min)
EXTREME(max)

template <class A, class B, class C, class... M>
concept can_fma = requires(A a, B b, C c, M... m) { ct::fma(a, b, c, m...); };
static_assert(can_fma<F4, F4, F4> && can_fma<H4, float, F4> && can_fma<float, float, F4>);
static_assert(can_fma<F4, F4, F4, RZ> && can_fma<F4, F4, F4, RZ, Flush> && can_fma<D4, D4, D4, Up>);
static_assert(can_fma<float, float, float> &&
              can_fma<tile<float, 4, 1>, float, tile<float, 2, 4, 8>>);
static_assert(!can_fma<F4, F4, float> && !can_fma<F4, F4, H4> && !can_fma<I4, I4, I4>);
static_assert(!can_fma<F4, int, F4> && !can_fma<D4, D4, D4, RZ, Flush> &&
              !can_fma<F4, F4, F4, Fast>);

template <class T>
concept can_abs = requires(T x) { ct::abs(x); };
static_assert(can_abs<I4> && can_abs<B4> && can_abs<float> && can_abs<tile<unsigned, 4>>);
static_assert(!can_abs<T4> && !can_abs<P4>);
template <class T>
concept can_negate = requires(T x) { -x; };
template <class T>
concept can_complement = requires(T x) { ~x; };
template <class T>
concept can_promote = requires(T x) { +x; };
template <class T>
concept can_not = requires(T x) { !x; };
static_assert(can_negate<F4> && can_negate<B4> && !can_negate<T4> && !can_negate<P4>);
static_assert(can_complement<I4> && can_complement<B4> && !can_complement<F4>);
static_assert(can_promote<B4> && can_promote<F4> && !can_promote<T4>);
static_assert(can_not<I4> && can_not<P4> && can_not<E4> && can_not<F4>);

template <class L, class R>
concept can_and_also = requires(L l, R r) { l && r; };
template <class L, class R>
concept can_or_else = requires(L l, R r) { l || r; };
static_assert(can_and_also<B4, bool> && can_and_also<F4, I4> && can_or_else<P4, B4>);
static_assert(can_or_else<B4, tile<bool, 2, 1>> && !can_or_else<B4, tile<bool, 2>>);

#define COMPARISON(NAME, OPERATOR)                                                                 \
  template <class L, class R>                                                                      \
  concept NAME = requires(L l, R r) { l OPERATOR r; };                                             \
  static_assert(NAME<I4, double> && NAME<F4, F4> && NAME<H4, double> && NAME<B4, int>);            \
  static_assert(!NAME<I4, unsigned> && !NAME<T4, T4> && !NAME<H4, tile<__nv_bfloat16, 4>>);        \
  static_assert(NAME<P4, P4> && NAME<P4, int *> && !NAME<P4, float *>);
COMPARISON(equal, ==)
COMPARISON(different, !=)
COMPARISON(less, <)
COMPARISON(less_equal, <=)
COMPARISON(greater, >)
COMPARISON(greater_equal, >=)
static_assert(equal<P4, decltype(nullptr)> && !less<P4, decltype(nullptr)>);

__tile_global__ void k(int *p, F4 *f) {
  F4 x;
  I4 n;
  P4 q = p + n;
  static_assert(same<decltype(-tile<short, 4>()), tile<short, 4>>);
  static_assert(same<decltype(~tile<short, 4>()), tile<short, 4>>);
  static_assert(same<decltype(+tile<short, 4>()), I4>);
  static_assert(same<decltype(!x), B4> && same<decltype(x && n), B4>);
  static_assert(same<decltype(1u << n), tile<unsigned, 4>> && same<decltype(n >> 2ll), I4>);
  static_assert(same<decltype(x < 1), B4> && same<decltype(q - q), tile<long, 4>>);
  static_assert(same<decltype(q + 1), P4> && same<decltype(n + q), P4> &&
                same<decltype(q - n), P4>);
  static_assert(same<decltype(ct::min(3, 4L)), long> && same<decltype(ct::abs((short)1)), short>);
  static_assert(same<decltype(ct::fma((__half)1, 2.f, x)), F4>);
}
template <class L, class R>
concept can_offset = requires(L l, R r) { l + r; };
template <class L, class R>
concept can_step_back = requires(L l, R r) { l - r; };
static_assert(can_offset<int *, I4> && can_offset<P4, bool> && can_offset<unsigned char, P4>);
static_assert(!can_offset<P4, float> && !can_offset<P4, P4> && !can_offset<tile<void *, 4>, int>);
static_assert(can_step_back<P4, int> && can_step_back<P4, int *> && !can_step_back<I4, P4>);
static_assert(!can_step_back<P4, tile<float *, 4>>);
template <class L, class R>
concept can_assign_sum = requires(L l, R r) { l += r; };
template <class T>
concept can_increment = requires(T x) { ++x; };
template <class T>
concept can_index = requires(T x) { x[0]; };
static_assert(!can_assign_sum<I4, I4> && !can_increment<I4> && !can_index<I4> && !can_index<P4>);
int main() {}
