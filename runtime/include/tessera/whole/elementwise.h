// The element-wise operations on whole tiles, by the bodies of the primitives. An operation that is
// not here is that of elementwise.cuh: a loop over the elements.
#pragma once

#include "../ops/elementwise.cuh"
#include "tile.h"

namespace tessera {

namespace detail {

template <prim::unary_op Op, rounding R, bool Flush, class T, class S>
fragment<T, whole<S>> unary_whole(const fragment<T, whole<S>> &a) {
  return from_lanes<T, T, S>([&] {
    return prim::unary<Op, mode_of(R), subnormals_of(Flush), tile_of<T, S>>(as_lanes<T>(a));
  });
}

// Elements are read as As: of T, or unsigned.
template <prim::binary_op Op, class As, rounding R, bool Flush, class T, class S>
fragment<T, whole<S>> binary_whole(const fragment<T, whole<S>> &a, const fragment<T, whole<S>> &b) {
  return from_lanes<T, As, S>([&] {
    return prim::binary<Op, mode_of(R), subnormals_of(Flush), tile_of<As, S>>(as_lanes<As>(a),
                                                                              as_lanes<As>(b));
  });
}

template <prim::compare_op Op, class As, class T, class S> fragment<bool, whole<S>>
compare_whole(const fragment<T, whole<S>> &a, const fragment<T, whole<S>> &b) {
  return from_lanes<bool, bool, S>([&] {
    return prim::compare<Op, tile_of<bool, S>, tile_of<As, S>>(as_lanes<As>(a), as_lanes<As>(b));
  });
}

template <class T> struct unsigned_element {
  using type = std::make_unsigned_t<T>;
};
template <> struct unsigned_element<bool> {
  using type = bool;
};
template <class T> using unsigned_of = typename unsigned_element<T>::type;

} // namespace detail

#define TESSERA_WHOLE_UNARY(NAME)                                                                  \
  template <class T, class S> fragment<T, whole<S>> NAME(const fragment<T, whole<S>> &a) {         \
    return detail::unary_whole<detail::prim::unary_op::NAME, rounding::nearest, false>(a);         \
  }
#define TESSERA_FUNCTION_1(NAME, CPU) TESSERA_WHOLE_UNARY(NAME)
#define TESSERA_C_MATH_1(NAME, C) TESSERA_WHOLE_UNARY(NAME)
#define TESSERA_ROUNDED_1(NAME, CPU)                                                               \
  TESSERA_WHOLE_UNARY(NAME)                                                                        \
  template <class T, class S>                                                                      \
  fragment<T, whole<S>> NAME(const fragment<T, whole<S>> &a, flush_subnormals_t) {                 \
    return detail::unary_whole<detail::prim::unary_op::NAME, rounding::nearest, true>(a);          \
  }                                                                                                \
  template <rounding R, class T, class S>                                                          \
  fragment<T, whole<S>> NAME(const fragment<T, whole<S>> &a) {                                     \
    return detail::unary_whole<detail::prim::unary_op::NAME, R, false>(a);                         \
  }                                                                                                \
  template <rounding R, class T, class S>                                                          \
  fragment<T, whole<S>> NAME(const fragment<T, whole<S>> &a, flush_subnormals_t) {                 \
    return detail::unary_whole<detail::prim::unary_op::NAME, R, true>(a);                          \
  }

#define TESSERA_WHOLE_BINARY(NAME, OP, AS)                                                         \
  template <class T, class S>                                                                      \
  fragment<T, whole<S>> NAME(const fragment<T, whole<S>> &a, const fragment<T, whole<S>> &b) {     \
    return detail::binary_whole<detail::prim::binary_op::OP, AS, rounding::nearest, false>(a, b);  \
  }
#define TESSERA_SIGN_same(NAME)
#define TESSERA_SIGN_differs(NAME)                                                                 \
  TESSERA_WHOLE_BINARY(NAME##_unsigned, NAME, detail::unsigned_of<T>)
#define TESSERA_FUNCTION_2(NAME, SYMBOL, SIGN)                                                     \
  TESSERA_WHOLE_BINARY(NAME, NAME, T) TESSERA_SIGN_##SIGN(NAME)
#define TESSERA_MATH_2(NAME, CPU, C) TESSERA_WHOLE_BINARY(NAME, NAME, T)
#define TESSERA_C_MATH_2(NAME, C) TESSERA_WHOLE_BINARY(NAME, NAME, T)
#define TESSERA_ROUNDED_2(NAME, SYMBOL, SIGN)                                                      \
  TESSERA_FUNCTION_2(NAME, SYMBOL, SIGN)                                                           \
  template <class T, class S> fragment<T, whole<S>> NAME(                                          \
      const fragment<T, whole<S>> &a, const fragment<T, whole<S>> &b, flush_subnormals_t) {        \
    return detail::binary_whole<detail::prim::binary_op::NAME, T, rounding::nearest, true>(a, b);  \
  }                                                                                                \
  template <rounding R, class T, class S>                                                          \
  fragment<T, whole<S>> NAME(const fragment<T, whole<S>> &a, const fragment<T, whole<S>> &b) {     \
    return detail::binary_whole<detail::prim::binary_op::NAME, T, R, false>(a, b);                 \
  }                                                                                                \
  template <rounding R, class T, class S> fragment<T, whole<S>> NAME(                              \
      const fragment<T, whole<S>> &a, const fragment<T, whole<S>> &b, flush_subnormals_t) {        \
    return detail::binary_whole<detail::prim::binary_op::NAME, T, R, true>(a, b);                  \
  }
#include "../ops.def"
#undef TESSERA_SIGN_same
#undef TESSERA_SIGN_differs
#undef TESSERA_WHOLE_UNARY
#undef TESSERA_WHOLE_BINARY

// Operators.
#define TESSERA_WHOLE_OPERATOR_1(SYMBOL, OP)                                                       \
  template <class T, class S>                                                                      \
  fragment<T, whole<S>> operator SYMBOL(const fragment<T, whole<S>> &a) {                          \
    return detail::unary_whole<detail::prim::unary_op::OP, rounding::nearest, false>(a);           \
  }
#define TESSERA_WHOLE_OPERATOR_2(SYMBOL, OP)                                                       \
  template <class T, class S> fragment<T, whole<S>> operator SYMBOL(                               \
      const fragment<T, whole<S>> &a, const fragment<T, whole<S>> &b) {                            \
    return detail::binary_whole<detail::prim::binary_op::OP, T, rounding::nearest, false>(a, b);   \
  }
#define TESSERA_WHOLE_COMPARISON(SYMBOL, OP)                                                       \
  template <class T, class S> fragment<bool, whole<S>> operator SYMBOL(                            \
      const fragment<T, whole<S>> &a, const fragment<T, whole<S>> &b) {                            \
    return detail::compare_whole<detail::prim::compare_op::OP, T>(a, b);                           \
  }
#define TESSERA_WHOLE_UNSIGNED(OP)                                                                 \
  template <class T, class S> fragment<bool, whole<S>> OP##_unsigned(                              \
      const fragment<T, whole<S>> &a, const fragment<T, whole<S>> &b) {                            \
    return detail::compare_whole<detail::prim::compare_op::OP, detail::unsigned_of<T>>(a, b);      \
  }
TESSERA_WHOLE_OPERATOR_1(-, neg)
TESSERA_WHOLE_OPERATOR_1(~, bit_not)
TESSERA_WHOLE_OPERATOR_2(+, add)
TESSERA_WHOLE_OPERATOR_2(-, sub)
TESSERA_WHOLE_OPERATOR_2(*, mul)
TESSERA_WHOLE_OPERATOR_2(/, div)
TESSERA_WHOLE_OPERATOR_2(%, rem)
TESSERA_WHOLE_OPERATOR_2(<<, shl)
TESSERA_WHOLE_OPERATOR_2(>>, shr)
TESSERA_WHOLE_OPERATOR_2(&, bit_and)
TESSERA_WHOLE_OPERATOR_2(|, bit_or)
TESSERA_WHOLE_OPERATOR_2(^, bit_xor)
TESSERA_WHOLE_COMPARISON(==, eq)
TESSERA_WHOLE_COMPARISON(!=, ne)
TESSERA_WHOLE_COMPARISON(<, lt)
TESSERA_WHOLE_COMPARISON(<=, le)
TESSERA_WHOLE_COMPARISON(>, gt)
TESSERA_WHOLE_COMPARISON(>=, ge)
TESSERA_WHOLE_UNSIGNED(lt)
TESSERA_WHOLE_UNSIGNED(le)
TESSERA_WHOLE_UNSIGNED(gt)
TESSERA_WHOLE_UNSIGNED(ge)
#undef TESSERA_WHOLE_OPERATOR_1
#undef TESSERA_WHOLE_OPERATOR_2
#undef TESSERA_WHOLE_COMPARISON
#undef TESSERA_WHOLE_UNSIGNED

// Products and sums of integers have no fused form.
namespace detail {

template <rounding R, bool Flush, class T, class S>
fragment<T, whole<S>> fma_whole(const fragment<T, whole<S>> &a, const fragment<T, whole<S>> &b,
                                const fragment<T, whole<S>> &c) {
  if constexpr (is_float<T>)
    return from_lanes<T, T, S>([&] {
      return prim::fma<mode_of(R), subnormals_of(Flush), tile_of<T, S>>(
          as_lanes<T>(a), as_lanes<T>(b), as_lanes<T>(c));
    });
  else
    return a * b + c;
}

} // namespace detail

#define TESSERA_WHOLE_FMA(TEMPLATE, R, FLUSH, ...)                                                 \
  template <TEMPLATE class T, class S>                                                             \
  fragment<T, whole<S>> fma(const fragment<T, whole<S>> &a, const fragment<T, whole<S>> &b,        \
                            const fragment<T, whole<S>> &c __VA_ARGS__) {                          \
    return detail::fma_whole<R, FLUSH>(a, b, c);                                                   \
  }
#define TESSERA_ROUNDING_THEN rounding R,
TESSERA_WHOLE_FMA(, rounding::nearest, false)
TESSERA_WHOLE_FMA(, rounding::nearest, true, , flush_subnormals_t)
TESSERA_WHOLE_FMA(TESSERA_ROUNDING_THEN, R, false)
TESSERA_WHOLE_FMA(TESSERA_ROUNDING_THEN, R, true, , flush_subnormals_t)
#undef TESSERA_WHOLE_FMA
#undef TESSERA_ROUNDING_THEN

template <class T, class S> fragment<T, whole<S>> select(const fragment<bool, whole<S>> &c,
                                                         const fragment<T, whole<S>> &a,
                                                         const fragment<T, whole<S>> &b) {
  return detail::from_lanes<T, T, S>([&] {
    using namespace detail;
    return prim::select<tile_of<T, S>, tile_of<bool, S>>(as_lanes<bool>(c), as_lanes<T>(a),
                                                         as_lanes<T>(b));
  });
}

namespace detail {

// Conversions to integers round toward zero; the others are element by element.
template <class ToAs, class FromAs, class To, rounding R, class From, class S>
fragment<To, whole<S>> cast_whole(const fragment<From, whole<S>> &x) {
  if constexpr (is_float<FromAs> && std::is_integral_v<ToAs> && R != rounding::toward_zero) {
    fragment<To, whole<S>> y;
    for (int i = 0; i < x.count; ++i)
      y.r[i] = static_cast<To>(convert<ToAs, R>(static_cast<FromAs>(x.r[i])));
    return y;
  } else {
    return from_lanes<To, ToAs, S>([&] {
      return prim::cast<tile_of<ToAs, S>, tile_of<FromAs, S>, mode_of(R)>(as_lanes<FromAs>(x));
    });
  }
}

} // namespace detail

template <class To, rounding R, class From, class S>
fragment<To, whole<S>> cast(const fragment<From, whole<S>> &x) {
  return detail::cast_whole<To, From, To, R>(x);
}
template <class To, class From, class S>
fragment<To, whole<S>> cast(const fragment<From, whole<S>> &x) {
  return detail::cast_whole<To, From, To, detail::default_rounding<To>>(x);
}
template <class To, rounding R, class From, class S>
fragment<To, whole<S>> cast_unsigned(const fragment<From, whole<S>> &x) {
  return detail::cast_whole<To, detail::unsigned_of<From>, To, R>(x);
}
template <class To, class From, class S>
fragment<To, whole<S>> cast_unsigned(const fragment<From, whole<S>> &x) {
  return detail::cast_whole<To, detail::unsigned_of<From>, To, detail::default_rounding<To>>(x);
}
template <class To, rounding R, class From, class S>
fragment<To, whole<S>> cast_to_unsigned(const fragment<From, whole<S>> &x) {
  return detail::cast_whole<detail::unsigned_of<To>, From, To, R>(x);
}
template <class To, class From, class S>
fragment<To, whole<S>> cast_to_unsigned(const fragment<From, whole<S>> &x) {
  return detail::cast_whole<detail::unsigned_of<To>, From, To, rounding::toward_zero>(x);
}

} // namespace tessera
