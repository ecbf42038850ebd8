// Products of whole tiles.
#pragma once

#include "elementwise.h"

namespace tessera {

// a * b + c: (M,K) x (K,N), also with a leading batch dimension, which may be 1 in a or b. Operands
// of integers are read as signed or unsigned.
template <bool AUnsigned = false, bool BUnsigned = false, class A, class B, class C, class SA,
          class SB, class SC>
fragment<C, whole<SC>> mma(const fragment<A, whole<SA>> &a, const fragment<B, whole<SB>> &b,
                           const fragment<C, whole<SC>> &c) {
  using namespace detail;
  using AsA =
      typename std::conditional_t<AUnsigned, unsigned_element<A>, std::type_identity<A>>::type;
  using AsB =
      typename std::conditional_t<BUnsigned, unsigned_element<B>, std::type_identity<B>>::type;
  return from_lanes<C, C, SC>([&] {
    return prim::mma<tile_of<C, SC>, tile_of<AsA, SA>, tile_of<AsB, SB>>(
        as_lanes<AsA>(a), as_lanes<AsB>(b), as_lanes<C>(c));
  });
}

} // namespace tessera
