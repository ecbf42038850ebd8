// The checks of --check in the bodies of primitives. Without it every function here is empty.
//
// The same rules as those of the passes check-bounds and check-numbers in plugin/plan, for
// primitives; scalars that C++ computes itself are not checked.
#pragma once

#include "arithmetic.h"
#include "checks.h"

#include <cstdio>
#include <string>

namespace cuda::tiles::__prim::cpu {

template <binary_op Op> inline constexpr const char *name_of_binary = "";
#define TESSERA_BINARY(NAME, SYMBOL, SIGN)                                                         \
  template <> inline constexpr const char *name_of_binary<binary_op::NAME> = #NAME;
#include "../../ops.def"
template <unary_op Op> inline constexpr const char *name_of_unary = "";
#define TESSERA_UNARY(NAME)                                                                        \
  template <> inline constexpr const char *name_of_unary<unary_op::NAME> = #NAME;
#include "../../ops.def"

// Reports "the div makes a NaN from operands without NaN", and the element.
template <class T> [[noreturn, gnu::noinline]] TESSERA_CHECKED void
fail_at(const char *message, unsigned long long element) {
  constexpr int dimensions = T::shape_type::rank();
  long long index[dimensions + 1] = {};
  for (int d = dimensions - 1; d >= 0; d--) {
    const auto extent = static_cast<unsigned long long>(T::shape_type::static_extent(d));
    index[d] = static_cast<long long>(element % extent);
    element /= extent;
  }
  tessera::host::fail_check({message, nullptr, 0, index, dimensions});
}

template <class E> bool is_nan(typename element<E>::lane lane) {
  const auto x = element<E>::read(lane);
  return x != x;
}
template <class E> bool is_infinite(typename element<E>::lane lane) {
  return ::std::isinf(element<E>::read(lane));
}

// r, the result of an operation. excuse(i, is_wrong): is one of the operands of element i wrong,
// too?
template <class R, class Excuse>
TESSERA_CHECKED void check_made(const char *what, const lanes<R> &r, Excuse excuse) {
  using E = typename R::element_type;
  if constexpr ((checks_nan || checks_inf) && ::std::is_floating_point_v<value_of<E>>) {
    char message[128];
    const auto look = [&](auto is_wrong, const char *made) {
      for (unsigned long long i = 0; i < R::shape_type::static_size(); i++)
        if (is_wrong.template operator()<E>(r.v[i]) && !excuse(i, is_wrong)) {
          ::std::snprintf(message, sizeof message, "the %s makes {result:a value} %s", what, made);
          fail_at<R>(message, i);
        }
    };
    if constexpr (checks_nan)
      look([]<class A>(auto lane) { return is_nan<A>(lane); }, "a NaN from operands without NaN");
    if constexpr (checks_inf)
      look([]<class A>(auto lane) { return is_infinite<A>(lane); },
           "an infinity from operands without infinities");
  }
}

// An operand of another tile type: only floats can be wrong.
template <class A, class X, class Wrong>
bool is_wrong_in(const X &x, unsigned long long i, Wrong is_wrong) {
  using E = typename A::element_type;
  if constexpr (::std::is_floating_point_v<value_of<E>>)
    return is_wrong.template operator()<E>(x.v[i]);
  else
    return false;
}

template <binary_op Op, class R, class Y> TESSERA_CHECKED void check_divisor(const Y &y) {
  using E = typename R::element_type;
  constexpr bool divides = Op == binary_op::div || Op == binary_op::rem ||
                           Op == binary_op::floordiv || Op == binary_op::ceildiv;
  if constexpr (checks_nan && divides && !::std::is_floating_point_v<value_of<E>>)
    for (unsigned long long i = 0; i < R::shape_type::static_size(); i++)
      if (element<E>::read(y.v[i]) == 0)
        fail_at<R>("an integer division by 0 computes {result:a value}", i);
}

template <class P, class M> TESSERA_CHECKED void check_inside(const lanes<M> &inside) {
  if constexpr (checks_bounds) {
    constexpr unsigned long long count = M::shape_type::static_size();
    unsigned long long outside = 0, first = count;
    for (unsigned long long i = count; i-- > 0;)
      if (!inside.v[i])
        outside++, first = i;
    if (outside == count)
      tessera::host::fail_check({"access of {tile:a tile} in {object:memory}: all of the tile is "
                                 "outside of the extents"});
    if (outside)
      fail_at<M>("access of {tile:a tile} in {object:memory}: an element is outside of the extents",
                 first);
  }
}

// The box of a view's access; the arguments are extents, strides and starts.
template <class T, bool Masked, class... I> TESSERA_CHECKED void
check_box(const char *what, bool full, bool empty, I... extents_strides_starts) {
  if constexpr (checks_bounds) {
    if (Masked ? !empty : full)
      return;
    constexpr int dimensions = T::shape_type::rank();
    // A start below 0 is reported as negative.
    const long long given[] = {
        static_cast<long long>(static_cast<::std::make_signed_t<I>>(extents_strides_starts))..., 0};
    long long values[3 * dimensions + 1] = {};
    ::std::string message = what, list;
    for (int d = 0; d < dimensions; d++) {
      values[d] = static_cast<long long>(T::shape_type::static_extent(d));
      values[dimensions + d] = given[2 * dimensions + d];
      values[2 * dimensions + d] = given[d];
      list += d ? ", %lld" : "%lld";
    }
    message += ": the box of [" + list + "] elements at [" + list +
               (Masked ? "] is outside of the extents [" : "] is not inside the extents [") + list +
               "]";
    tessera::host::fail_check({message.c_str(), values, 3 * dimensions});
  }
}

// Parts of a tile of type A, in units of the shape of B.
template <class A, class B, class... I>
TESSERA_CHECKED void check_index(const char *what, I... index) {
  if constexpr (checks_bounds && sizeof...(I) > 0) {
    constexpr int dimensions = sizeof...(I);
    long long values[2 * dimensions] = {static_cast<long long>(static_cast<int>(index))...};
    bool holds = true;
    ::std::string list;
    for (int d = 0; d < dimensions; d++) {
      const long long count = A::shape_type::static_extent(d) / B::shape_type::static_extent(d);
      values[dimensions + d] = count;
      holds = holds && values[d] >= 0 && values[d] < count;
      list += d ? ", %lld" : "%lld";
    }
    if (holds)
      return;
    const auto message =
        ::std::string(what) + ": the index [" + list + "] is outside of [" + list + "]";
    tessera::host::fail_check({message.c_str(), values, 2 * dimensions});
  }
}

} // namespace cuda::tiles::__prim::cpu
