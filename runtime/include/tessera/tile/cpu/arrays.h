// Arrays where a pointer is wanted: on the CPU operands are references, to which an array is no
// pointer by itself.
#pragma once

#include "../assume.h"
#include "../atomic.h"

namespace cuda::tiles {

#define TESSERA_DECAYS(NAME)                                                                       \
  template <class E, size_t N, class... A>                                                         \
    requires requires(E *p, const A &...a) { NAME(p, a...); }                                      \
  inline auto NAME(E(&p)[N], const A &...a) noexcept {                                             \
    return NAME(static_cast<E *>(p), a...);                                                        \
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

template <class E, size_t N, integral_tile I>
  requires __detail::offset_operands<E *, I>
inline auto operator+(const I &n, E (&p)[N]) noexcept {
  return n + static_cast<E *>(p);
}

} // namespace cuda::tiles
