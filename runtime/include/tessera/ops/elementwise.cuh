// The elementwise operations of scalar.cuh under their public names, on fragments (register by
// register) and on scalars alike.
#pragma once

#include "../fragment.cuh"
#include "division.cuh"
#include "scalar.cuh"

namespace tessera {

namespace detail {

template <class T> inline constexpr bool is_fragment = false;
template <class T, class L> inline constexpr bool is_fragment<fragment<T, L>> = true;

template <class X> using operand =
    std::enable_if_t<is_fragment<X> || std::is_arithmetic_v<X> || is_small_float<X>>;

template <class Op, class X, class... Y>
TESSERA_DEVICE auto lift(Op op, const X &x, const Y &...y) {
  if constexpr (is_fragment<X>) {
    fragment<decltype(op(x.r[0], y.r[0]...)), typename X::layout> z;
    TESSERA_UNROLL
    for (int i = 0; i < X::count; ++i)
      z.r[i] = op(x.r[i], y.r[i]...);
    return z;
  } else {
    return op(x, y...);
  }
}

#define TESSERA_OPERATION(NAME)                                                                    \
  struct NAME##_op {                                                                               \
    template <class... T> TESSERA_DEVICE auto operator()(T... x) const {                           \
      return NAME##_one(x...);                                                                     \
    }                                                                                              \
  };
#define TESSERA_CHOICE_OPERATION(NAME)                                                             \
  template <rounding R, bool Flush> struct NAME##_op {                                             \
    template <class... T> TESSERA_DEVICE auto operator()(T... x) const {                           \
      return NAME##_one<R, Flush>(x...);                                                           \
    }                                                                                              \
  };

} // namespace detail

// NAME(a) and NAME(a, b).
#define TESSERA_PLAIN_1(NAME)                                                                      \
  namespace detail {                                                                               \
  TESSERA_OPERATION(NAME)                                                                          \
  }                                                                                                \
  template <class X, class = detail::operand<X>> TESSERA_DEVICE auto NAME(const X &a) {            \
    return detail::lift(detail::NAME##_op{}, a);                                                   \
  }
#define TESSERA_PLAIN_2(NAME)                                                                      \
  namespace detail {                                                                               \
  TESSERA_OPERATION(NAME)                                                                          \
  }                                                                                                \
  template <class X, class = detail::operand<X>>                                                   \
  TESSERA_DEVICE auto NAME(const X &a, const X &b) {                                               \
    return detail::lift(detail::NAME##_op{}, a, b);                                                \
  }

// Functions with a rounding or flushing option: f(x), f<R>(x), f(x, flush_subnormals), f<R>(x,
// flush_subnormals).
#define TESSERA_FORM(TEMPLATE, NAME, R, FLUSH, PARAMETERS, ARGUMENTS)                              \
  template <TEMPLATE class X, class = detail::operand<X>> TESSERA_DEVICE auto NAME(PARAMETERS) {   \
    return detail::lift(detail::NAME##_op<R, FLUSH>{}, ARGUMENTS);                                 \
  }
#define TESSERA_LIST(...) __VA_ARGS__
#define TESSERA_FORMS(NAME, PARAMETERS, ARGUMENTS)                                                 \
  namespace detail {                                                                               \
  TESSERA_CHOICE_OPERATION(NAME)                                                                   \
  }                                                                                                \
  TESSERA_FORM(, NAME, rounding::nearest, false, TESSERA_LIST(PARAMETERS),                         \
               TESSERA_LIST(ARGUMENTS))                                                            \
  TESSERA_FORM(, NAME, rounding::nearest, true, TESSERA_LIST(PARAMETERS, flush_subnormals_t),      \
               TESSERA_LIST(ARGUMENTS))                                                            \
  TESSERA_FORM(TESSERA_LIST(rounding R, ), NAME, R, false, TESSERA_LIST(PARAMETERS),               \
               TESSERA_LIST(ARGUMENTS))                                                            \
  TESSERA_FORM(TESSERA_LIST(rounding R, ), NAME, R, true,                                          \
               TESSERA_LIST(PARAMETERS, flush_subnormals_t), TESSERA_LIST(ARGUMENTS))

// A function whose result depends on the signedness of integers has a second name.
#define TESSERA_SIGN_same(NAME)
#define TESSERA_SIGN_differs(NAME) TESSERA_PLAIN_2(NAME##_unsigned)

TESSERA_PLAIN_1(neg)
TESSERA_PLAIN_1(isnan)
TESSERA_PLAIN_1(isinf)
TESSERA_PLAIN_2(lt_unsigned)
TESSERA_PLAIN_2(le_unsigned)
TESSERA_PLAIN_2(gt_unsigned)
TESSERA_PLAIN_2(ge_unsigned)
#define TESSERA_FUNCTION_1(NAME, CPU) TESSERA_PLAIN_1(NAME)
#define TESSERA_C_MATH_1(NAME, C) TESSERA_PLAIN_1(NAME)
#define TESSERA_ROUNDED_1(NAME, CPU) TESSERA_FORMS(NAME, const X &a, a)
#define TESSERA_FUNCTION_2(NAME, SYMBOL, SIGN) TESSERA_PLAIN_2(NAME) TESSERA_SIGN_##SIGN(NAME)
#define TESSERA_MATH_2(NAME, CPU, C) TESSERA_PLAIN_2(NAME)
#define TESSERA_C_MATH_2(NAME, C) TESSERA_PLAIN_2(NAME)
#define TESSERA_ROUNDED_2(NAME, SYMBOL, SIGN)                                                      \
  TESSERA_FORMS(NAME, TESSERA_LIST(const X &a, const X &b), TESSERA_LIST(a, b))                    \
  TESSERA_SIGN_##SIGN(NAME)
#include "../ops.def"
TESSERA_FORMS(fma, TESSERA_LIST(const X &a, const X &b, const X &c), TESSERA_LIST(a, b, c))

// Operators, between fragments only.
namespace detail {
TESSERA_OPERATION(bit_not)
TESSERA_OPERATION(logical_not)
TESSERA_OPERATION(bit_and)
TESSERA_OPERATION(bit_or)
TESSERA_OPERATION(bit_xor)
TESSERA_OPERATION(eq)
TESSERA_OPERATION(ne)
TESSERA_OPERATION(lt)
TESSERA_OPERATION(le)
TESSERA_OPERATION(gt)
TESSERA_OPERATION(ge)
} // namespace detail
#define TESSERA_OPERATOR_OF_1(SYMBOL, NAME)                                                        \
  template <class T, class L> TESSERA_DEVICE auto operator SYMBOL(const fragment<T, L> &a) {       \
    return detail::lift(detail::NAME##_op{}, a);                                                   \
  }
#define TESSERA_OPERATOR_OF_2(SYMBOL, ...)                                                         \
  template <class T, class L>                                                                      \
  TESSERA_DEVICE auto operator SYMBOL(const fragment<T, L> &a, const fragment<T, L> &b) {          \
    return detail::lift(detail::__VA_ARGS__{}, a, b);                                              \
  }
TESSERA_OPERATOR_OF_1(-, neg)
TESSERA_OPERATOR_OF_1(~, bit_not)
TESSERA_OPERATOR_OF_1(!, logical_not)
TESSERA_OPERATOR_OF_2(+, add_op<rounding::nearest, false>)
TESSERA_OPERATOR_OF_2(-, sub_op<rounding::nearest, false>)
TESSERA_OPERATOR_OF_2(*, mul_op<rounding::nearest, false>)
TESSERA_OPERATOR_OF_2(/, div_op<rounding::nearest, false>)
TESSERA_OPERATOR_OF_2(%, rem_op)
TESSERA_OPERATOR_OF_2(<<, shl_op)
TESSERA_OPERATOR_OF_2(>>, shr_op)
TESSERA_OPERATOR_OF_2(&, bit_and_op)
TESSERA_OPERATOR_OF_2(|, bit_or_op)
TESSERA_OPERATOR_OF_2(^, bit_xor_op)
TESSERA_OPERATOR_OF_2(==, eq_op)
TESSERA_OPERATOR_OF_2(!=, ne_op)
TESSERA_OPERATOR_OF_2(<, lt_op)
TESSERA_OPERATOR_OF_2(<=, le_op)
TESSERA_OPERATOR_OF_2(>, gt_op)
TESSERA_OPERATOR_OF_2(>=, ge_op)

#undef TESSERA_OPERATION
#undef TESSERA_CHOICE_OPERATION
#undef TESSERA_PLAIN_1
#undef TESSERA_PLAIN_2
#undef TESSERA_FORM
#undef TESSERA_LIST
#undef TESSERA_FORMS
#undef TESSERA_SIGN_same
#undef TESSERA_SIGN_differs
#undef TESSERA_OPERATOR_OF_1
#undef TESSERA_OPERATOR_OF_2

// Selection and conversion

template <class T, class L> TESSERA_DEVICE fragment<T, L>
select(const fragment<bool, L> &c, const fragment<T, L> &a, const fragment<T, L> &b) {
  fragment<T, L> y;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    y.r[i] = c.r[i] ? a.r[i] : b.r[i];
  return y;
}

template <class T, class = std::enable_if_t<!detail::is_fragment<T>>>
TESSERA_DEVICE T select(bool c, const T &a, const T &b) {
  return c ? a : b;
}

template <class To, rounding R, class From, class L>
TESSERA_DEVICE fragment<To, L> cast(const fragment<From, L> &x) {
  fragment<To, L> y;
  constexpr bool pairs =
      std::is_same_v<From, float> && R == rounding::nearest && L::register_count >= 2;
  if constexpr (pairs && (std::is_same_v<To, bf16> || std::is_same_v<To, half>)) {
    TESSERA_UNROLL
    for (int i = 0; i < L::register_count; i += 2) {
      const unsigned pair = std::is_same_v<To, bf16> ? arch::to_bf16_pair(x.r[i], x.r[i + 1])
                                                     : arch::to_half_pair(x.r[i], x.r[i + 1]);
      memcpy(static_cast<void *>(y.r + i), &pair, 4);
    }
  } else if constexpr (pairs && L::register_count >= 4 &&
                       (std::is_same_v<To, fp8_e4m3> || std::is_same_v<To, fp8_e5m2>)) {
    // A register at a time: bytes that are converted one by one are put together afterwards.
    TESSERA_UNROLL
    for (int i = 0; i < L::register_count; i += 4) {
      const unsigned quad = arch::to_fp8_quad<To>(x.r + i);
      memcpy(static_cast<void *>(y.r + i), &quad, 4);
    }
  } else if constexpr (std::is_same_v<From, bf16> && std::is_same_v<To, float> &&
                       L::register_count >= 2) {
    // Of the upper half of a word the mask is the float; one by one it would be moved down and up.
    TESSERA_UNROLL
    for (int i = 0; i < L::register_count; i += 2) {
      unsigned pair;
      memcpy(&pair, static_cast<const void *>(x.r + i), 4);
      y.r[i] = bitcast<float>(pair << 16);
      y.r[i + 1] = bitcast<float>(pair & 0xffff0000u);
    }
  } else {
    TESSERA_UNROLL
    for (int i = 0; i < L::register_count; ++i)
      y.r[i] = detail::convert<To, R>(x.r[i]);
  }
  return y;
}

template <class To, class From, class L>
TESSERA_DEVICE fragment<To, L> cast(const fragment<From, L> &x) {
  return cast<To, detail::default_rounding<To>>(x);
}

template <class To, class From, class L>
TESSERA_DEVICE fragment<To, L> cast_unsigned(const fragment<From, L> &x) {
  fragment<To, L> y;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    y.r[i] = cast_unsigned<To>(x.r[i]);
  return y;
}

template <class To, class From, class L>
TESSERA_DEVICE fragment<To, L> cast_to_unsigned(const fragment<From, L> &x) {
  fragment<To, L> y;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    y.r[i] = cast_to_unsigned<To>(x.r[i]);
  return y;
}

template <int Term, class L>
TESSERA_DEVICE fragment<bf16, L> bf16_term(const fragment<float, L> &x) {
  fragment<bf16, L> y;
  TESSERA_UNROLL
  for (int i = 0; i < x.count; ++i)
    y.r[i] = bf16_term<Term>(x.r[i]);
  return y;
}

template <class To, class From, class L>
TESSERA_DEVICE fragment<To, L> bitcast(const fragment<From, L> &x) {
  fragment<To, L> y;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    y.r[i] = bitcast<To>(x.r[i]);
  return y;
}

// x * scales, which are usually 1: a warp that has no other scale leaves x as it is.
template <class L>
TESSERA_DEVICE fragment<float, L> rescale(fragment<float, L> x, const fragment<float, L> &scales) {
  bool are_ones = true;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    are_ones &= scales.r[i] == 1.0f;
  if (!arch::all_lanes(are_ones)) {
    TESSERA_UNROLL
    for (int i = 0; i < L::register_count; ++i)
      x.r[i] *= scales.r[i];
  }
  return x;
}

// Pointers: distances are in elements.

template <class T, class N> TESSERA_DEVICE T *offset(T *p, N n) {
  // nvcc 13.0 assumes that an index of 8 or 16 bits that results from an addition does not wrap,
  // where it offsets a pointer.
  if constexpr (sizeof(N) < sizeof(int))
    return reinterpret_cast<T *>(reinterpret_cast<std::size_t>(p) +
                                 static_cast<std::size_t>(n) * sizeof(T));
  else
    return p + n;
}

template <class T, class N, class L>
TESSERA_DEVICE fragment<T *, L> offset(const fragment<T *, L> &p, const fragment<N, L> &n) {
  fragment<T *, L> y;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    y.r[i] = offset(p.r[i], n.r[i]);
  return y;
}

template <class T, class L> TESSERA_DEVICE fragment<long long, L>
difference(const fragment<T *, L> &p, const fragment<T *, L> &q) {
  fragment<long long, L> y;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    y.r[i] = p.r[i] - q.r[i];
  return y;
}

template <class T> TESSERA_DEVICE long long difference(T *p, T *q) { return p - q; }

} // namespace tessera
