// Arrays as launches of cuTile Python pass them: a pointer, the extents, then the strides, of which
// the last is 1, with what its signatures promise of them.
#pragma once

#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

template <int Divisor> __tile__ int promised(int n) {
  return ct::assume_divisible<Divisor>(ct::assume_bounded_below<0>(n));
}
