// Arrays as pointer operands: on the CPU operands are references, to which an array does not decay
// by itself.
#pragma once

#include "../assume.h"
#include "../atomic.h"

namespace cuda::tiles {

namespace __detail {
template <class E> E *first_element(E *p);
// Also of length 0 or unknown: a template's E[N] matches neither.
template <class T>
concept array = requires(T &p) { first_element(p); } &&
                !__is_same(remove_cv_t<T>, decltype(first_element(*static_cast<T *>(nullptr))));
template <class T> using element_pointer = decltype(first_element(*static_cast<T *>(nullptr)));
} // namespace __detail

#define TESSERA_DECAYS(NAME)                                                                       \
  template <__detail::array T, class... A>                                                         \
    requires requires(__detail::element_pointer<T> p, const A &...a) { NAME(p, a...); }            \
  inline auto NAME(T &p, const A &...a) noexcept {                                                 \
    return NAME(static_cast<__detail::element_pointer<T>>(p), a...);                               \
  }
TESSERA_DECAYS(operator+)
TESSERA_DECAYS(operator-)
TESSERA_DECAYS(load)
TESSERA_DECAYS(load_masked)
TESSERA_DECAYS(store)
TESSERA_DECAYS(store_masked)
TESSERA_DECAYS(atomic_load)
TESSERA_DECAYS(atomic_store)
TESSERA_DECAYS(atomic_add)
TESSERA_DECAYS(atomic_sub)
TESSERA_DECAYS(atomic_and)
TESSERA_DECAYS(atomic_or)
TESSERA_DECAYS(atomic_xor)
TESSERA_DECAYS(atomic_max)
TESSERA_DECAYS(atomic_min)
TESSERA_DECAYS(atomic_xchg)
TESSERA_DECAYS(atomic_compare_exchange)
TESSERA_DECAYS(assume_aligned)
#undef TESSERA_DECAYS

template <__detail::array T, integral_tile I>
  requires __detail::offset_operands<__detail::element_pointer<T>, I>
inline auto operator+(const I &n, T &p) noexcept {
  return n + static_cast<__detail::element_pointer<T>>(p);
}

} // namespace cuda::tiles
