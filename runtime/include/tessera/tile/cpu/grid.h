// The index of the block, the size of the grid, and facts that the programmer guarantees.
//
// The thread that runs a block sets its coordinates before it calls the kernel.
#pragma once

#include "../../host/block.h"
#include "checks.h"

namespace cuda::tiles::__prim {

template <int Axis> inline unsigned bid() { return tessera::host::current_block.index[Axis]; }
template <int Axis> inline unsigned num_blocks() { return tessera::host::current_block.grid[Axis]; }

template <long long N, class T> inline T *assume_aligned(T *p) {
  cpu::check_assumed(
      reinterpret_cast<unsigned long long>(p) % N == 0,
      "assume_aligned: {object:memory} is the address 0x%llx, which is not a multiple of %lld", p,
      N);
  return static_cast<T *>(__builtin_assume_aligned(p, N));
}
template <long long N, class T> inline T assume_divisible(T x) {
  // N may exceed the range of T.
  const bool holds = (static_cast<unsigned long long>(x) & (N - 1)) == 0;
  cpu::check_assumed(
      holds, "assume_divisible: {object:a value} is %lld, which is not a multiple of %lld", x, N);
  if (!holds)
    __builtin_unreachable();
  return x;
}
template <long long Low, long long High, class T> inline T assume_bounded(T x) {
  cpu::check_assumed(x >= T(Low) && x <= T(High),
                     "assume_bounded: {object:a value} is %lld, which is not between %lld and %lld",
                     x, Low, High);
  if (x < T(Low) || x > T(High))
    __builtin_unreachable();
  return x;
}

} // namespace cuda::tiles::__prim
