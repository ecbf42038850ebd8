// Comparisons and logic: tiles of bool in the mutual broadcast shape. [tile:arithmetic_operations]
//
// Both sides of && and || are evaluated. Pointers compare with pointers to the same type and to
// void, and with nullptr.
#pragma once

#include "convert.h"

namespace cuda::tiles {

namespace __detail {
template <class L, class R>
concept comparable = any_tile<L, R> && arithmetic_tile_comparable<L, R>;
template <class T> using pointee_of = remove_pointer_t<element_of<T>>;
template <class L, class R>
concept same_pointees = pointer_tile<L> && pointer_tile<R> && mutually_broadcastable<L, R> &&
                        is_same<remove_cv_t<pointee_of<L>>, remove_cv_t<pointee_of<R>>>;
template <class T>
concept void_pointer = pointer_tile<T> && is_same<remove_cv_t<pointee_of<T>>, void>;
template <class L, class R>
concept pointees_compare =
    same_pointees<L, R> || (pointer_tile<L> && pointer_tile<R> && mutually_broadcastable<L, R> &&
                            (void_pointer<L> || void_pointer<R>));
template <class L, class R>
concept comparable_pointers = any_tile<L, R> && pointees_compare<L, R>;
template <class T>
concept nullable = is_tile<T> && pointer_tile<T>;
template <class L, class R>
concept logical_operands = any_tile<L, R> && bool_tile_convertible<L> && bool_tile_convertible<R> &&
                           mutually_broadcastable<L, R>;
} // namespace __detail

// Element by element, after the usual conversions and broadcasting; the result has bool elements.
// Pointers are compared as addresses.
#define TESSERA_COMPARISON(OPERATOR, NAME)                                                         \
  template <tile_like L, tile_like R>                                                              \
    requires __detail::comparable<L, R>                                                            \
  TESSERA_API mutual_broadcast_t<L, R, bool> operator OPERATOR(__prim::arg<L> l,                   \
                                                               __prim::arg<R> r) noexcept {        \
    return __detail::compare<mutual_broadcast_t<L, R, bool>, __detail::common_element<L, R>,       \
                             __prim::compare_op::NAME>(l, r);                                      \
  }                                                                                                \
  template <tile_like L, tile_like R>                                                              \
    requires __detail::comparable_pointers<L, R>                                                   \
  TESSERA_API mutual_broadcast_t<L, R, bool> operator OPERATOR(__prim::arg<L> l,                   \
                                                               __prim::arg<R> r) noexcept {        \
    return __detail::compare<mutual_broadcast_t<L, R, bool>, const volatile void *,                \
                             __prim::compare_op::NAME>(l, r);                                      \
  }

TESSERA_COMPARISON(==, eq)
TESSERA_COMPARISON(!=, ne)
TESSERA_COMPARISON(<, lt)
TESSERA_COMPARISON(<=, le)
TESSERA_COMPARISON(>, gt)
TESSERA_COMPARISON(>=, ge)
#undef TESSERA_COMPARISON

template <__detail::nullable T>
TESSERA_API tile_with_element_t<T, bool> operator==(__prim::arg<T> p, decltype(nullptr)) noexcept {
  return p == static_cast<tile_element_t<T>>(nullptr);
}
template <__detail::nullable T>
TESSERA_API tile_with_element_t<T, bool> operator==(decltype(nullptr), __prim::arg<T> p) noexcept {
  return p == nullptr;
}
template <__detail::nullable T>
TESSERA_API tile_with_element_t<T, bool> operator!=(__prim::arg<T> p, decltype(nullptr)) noexcept {
  return p != static_cast<tile_element_t<T>>(nullptr);
}
template <__detail::nullable T>
TESSERA_API tile_with_element_t<T, bool> operator!=(decltype(nullptr), __prim::arg<T> p) noexcept {
  return p != nullptr;
}

// Operands of any type that converts to bool.
template <tile_like L, tile_like R>
  requires __detail::logical_operands<L, R>
TESSERA_API mutual_broadcast_t<L, R, bool> operator&&(__prim::arg<L> l, __prim::arg<R> r) noexcept {
  return __detail::binary<mutual_broadcast_t<L, R, bool>, __prim::binary_op::bit_and>(l, r);
}
template <tile_like L, tile_like R>
  requires __detail::logical_operands<L, R>
TESSERA_API mutual_broadcast_t<L, R, bool> operator||(__prim::arg<L> l, __prim::arg<R> r) noexcept {
  return __detail::binary<mutual_broadcast_t<L, R, bool>, __prim::binary_op::bit_or>(l, r);
}
template <bool_tile_convertible T>
  requires __detail::is_tile<T>
TESSERA_API tile_with_element_t<T, bool> operator!(__prim::arg<T> x) noexcept {
  return __detail::binary<tile_with_element_t<T, bool>, __prim::binary_op::bit_xor>(x, true);
}

} // namespace cuda::tiles
