// Reductions and scans by a function of the program: one line along the dimension after the other,
// from its first element, or from its last.
#pragma once

#include "../pack.h"
#include "reduce.h"

namespace cuda::tiles::__prim {

// y: the lanes of the results; A: the first of the tiles.
template <class A, int Dim, bool Scan, bool Backward, class F, class Y, __detail::size_t... I,
          class... T>
inline void fold(const F &f, Y &y, __detail::indices<I...>, const T &...x) {
  using __detail::access;
  using __detail::from_lane;
  using __detail::item;
  using at = cpu::along<A, Dim>;
  for (long long line = 0; line < at::outer * at::inner; line++) {
    pack<lane_t<T>...> total;
    for (long long k = 0; k < at::n; k++) {
      const long long i = line / at::inner * at::size + line % at::inner +
                          (Backward ? at::n - 1 - k : k) * at::inner;
      if (k == 0) {
        total = {access::lanes(x).v[i]...};
      } else {
        const auto combined =
            __detail::as_pack(f(from_lane<typename T::element_type>(item<int(I)>(total))...,
                                from_lane<typename T::element_type>(access::lanes(x).v[i])...));
        total = {__detail::operand<__detail::one<typename T::element_type>>(item<int(I)>(combined))
                     .v[0]...};
      }
      if constexpr (Scan)
        ((item<int(I)>(y).v[i] = item<int(I)>(total)), ...);
    }
    if constexpr (!Scan)
      ((item<int(I)>(y).v[line] = item<int(I)>(total)), ...);
  }
}

} // namespace cuda::tiles::__prim
