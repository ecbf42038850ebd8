// [tile:assumptions] What is assumed of what, and numbers that cannot be.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

struct pair {
  int a, b;
};

__tile__ void assumptions(float *p, pair *s, int n, float f, unsigned u, tile<int, 8> x) {
  auto x1 = ct::assume_aligned<12>(p);
  //        ^ error: 'assume_aligned' with 12, which is not a power of two; the nearest are 8 and 16
  //          [tile:assumptions/assumed-power]
  // right: auto x1 = ct::assume_aligned<4>(p);
  auto x2 = ct::assume_aligned<16>(s);
  //        ^ error: 'assume_aligned' of pair *: the function takes pointers to numbers
  //          [tile:assumptions/assumed-of]
  // right: auto x2 = ct::assume_aligned<16>(p);
  auto x3 = ct::assume_aligned<16>(n);
  //        ^ error: 'assume_aligned' of int: the function takes pointers to numbers
  //          [tile:assumptions/assumed-of]
  auto x4 = ct::assume_aligned(p, n);
  //        ^ error: 'assume_aligned' with a number of type int: the number must be a constant;
  //          write assume_aligned<16>(x) or assume_aligned(x, 16_ic)
  //          [tile:assumptions/assumed-number]
  // right: auto x4 = ct::assume_aligned(p, 16_ic);
  auto x5 = ct::assume_divisible<8>(f);
  //        ^ error: 'assume_divisible' of float: the function takes integers
  //          [tile:assumptions/assumed-of]
  auto x6 = ct::assume_divisible(n, 0_ic);
  //        ^ error: 'assume_divisible' with 0, which is not a power of two; the smallest is 1
  //          [tile:assumptions/assumed-power]
  auto x7 = ct::assume_bounded<8, 4>(n);
  //        ^ error: 'assume_bounded': the lower bound 8 is above the upper bound 4
  //          [tile:assumptions/bounds-inverted]
  // right: auto x7 = ct::assume_bounded<4, 8>(n);
  auto x8 = ct::assume_bounded_below<-1>(u);
  //        ^ error: 'assume_bounded_below' of unsigned int: the function takes signed integers
  //          [tile:assumptions/assumed-of]
  // right: auto x8 = ct::assume_bounded<0, 8>(u);
  auto x11 = ct::assume_bounded_above<-1>(u);
  //         ^ error: 'assume_bounded_above': the bound -1 does not fit in unsigned int
  //           [tile:assumptions/bound-of-element]
  // right: auto x11 = ct::assume_bounded_above<7>(u);
  auto x9 = ct::assume_blocked(x, ct::shape<2, 2>{});
  //        ^ error: 'assume_blocked' of tile<int, 8> in pieces of shape 2x2: the tile has 1
  //          dimension, and the piece has 2 [tile:tile_operations/piece-rank]
  // right: auto x9 = ct::assume_blocked(x, ct::shape<2>{});
  auto x10 = ct::assume_divisible_strided<8, 4, 1>(x);
  //         ^ error: 'assume_divisible_strided' of tile<int, 8> along dimension 1: the tile has
  //           only dimension 0 [tile:general_principles/no-dimension]
  // right: auto x10 = ct::assume_divisible_strided<8, 4, 0>(x);
}
