// What sorting samples share: floats as unsigned integers of the same order, and a bitonic network
// within a tile.
#pragma once
#include "arrays.h"

namespace sample {

/// The bits of floats as unsigned integers that compare as the floats do: negative ones have all
/// bits turned, others the sign; and back.
template <class Floats> __tile__ auto ordered_bits(Floats x) {
  auto bits = ct::element_bitcast<unsigned>(x);
  return ct::select(bits >> 31u != 0u, ~bits, bits | 0x80000000u);
}
template <class Bits> __tile__ auto floats_of(Bits bits) {
  return ct::element_bitcast<float>(ct::select(bits >> 31u != 0u, bits & 0x7fffffffu, ~bits));
}

/// One step of the network along the rows of x: each element is compared with the one `Distance`
/// from it, and keeps the lesser or the greater of both; runs of `Run` rise and fall by turns. The
/// lesser of two is a reduction of the pairs, which threads do where the elements are.
template <int Run, int Distance, class T, std::size_t Rows, std::size_t N>
__tile__ auto compared(ct::tile<T, ct::shape<Rows, N>> x) {
  constexpr std::size_t groups = Rows * N / (2 * Distance);
  auto pairs = ct::reshape(x, ct::shape<groups, 2, Distance>{});
  auto group = ct::iota<ct::tile<int, ct::shape<groups, 1, 1>>>() * (2 * Distance);
  auto falls = (group & int(N - 1) & Run) != 0;
  auto is_later = ct::iota<ct::tile<int, ct::shape<1, 2, 1>>>() != 0;
  using all = typename decltype(pairs)::shape_type;
  auto kept = ct::select(is_later != falls, ct::broadcast(ct::reduce_max<1>(pairs), all{}),
                         ct::broadcast(ct::reduce_min<1>(pairs), all{}));
  return ct::reshape(kept, ct::shape<Rows, N>{});
}

/// Runs of `Run` in order, of which each half is bitonic.
template <int Run, int Distance = Run / 2, class Tile> __tile__ Tile merged(Tile x) {
  x = compared<Run, Distance>(x);
  if constexpr (Distance > 1)
    x = merged<Run, Distance / 2>(x);
  return x;
}

/// Each row of x, of N elements, sorted: the least first.
template <int N, int Run = 2, class Tile> __tile__ Tile sorted(Tile x) {
  x = merged<Run>(x);
  if constexpr (Run < N)
    x = sorted<N, 2 * Run>(x);
  return x;
}

} // namespace sample
