// What is legal and cannot be meant: results that nobody uses, tiles that are read before they are
// written, boxes outside of their view, hints that there are not.
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using ct::literals::operator""_ic;
using F8 = ct::tile<float, ct::shape<8>>;

__tile_global__ void unused(float *p, int *q, int n) {
  F8 x = ct::load(p + ct::iota<ct::tile<int, ct::shape<8>>>());
  x + 1.0f;
 // ^ warning: the result of '+' is not used, and the call has no other effect
 //   [tile:general_principles/unused-result]
  // right: x = x + 1.0f;
  ct::exp(x);
//^ warning: the result of 'exp' is not used, and the call has no other effect
//  [tile:general_principles/unused-result]
  // right: x = ct::exp(x);
  x < 0.0f;
 // ^ warning: the result of '<' is not used, and the call has no other effect
 //   [tile:general_principles/unused-result]
  // right: x = ct::select(x < 0.0f, -x, x);
  if (n)
    ct::max(x, 0.0f);
 // ^ warning: the result of 'max' is not used, and the call has no other effect
 //   [tile:general_principles/unused-result]
    // right: x = ct::max(x, 0.0f);
  ct::assume_aligned<16>(p);
//^ warning: the result of 'assume_aligned' is not used, but the assumption holds only for the
//  result; write p = ct::assume_aligned<16>(p) [tile:assumptions/unused-assumption]
  // fix: p = ct::assume_aligned<16>(p);
  ct::assume_divisible(n, 8_ic);
//^ warning: the result of 'assume_divisible' is not used, but the assumption holds only for the
//  result; write n = ct::assume_divisible(n, 8_ic) [tile:assumptions/unused-assumption]
  // fix: n = ct::assume_divisible(n, 8_ic);
  ct::assume_divisible<8>(n + 8);
//^ warning: the result of 'assume_divisible' is not used, but the assumption holds only for the
//  result; write auto x = ct::assume_divisible<8>(n + 8) [tile:assumptions/unused-assumption]
  // right: int m = ct::assume_divisible<8>(n + 8);
  ct::atomic_load(q, ct::memory_order_acquire_t{});
//^ warning: the value that 'atomic_load' acquires is not used, so the program cannot tell what has
//  been released; wait for a value [tile:atomics/unused-acquire]
  // right: while (ct::atomic_load(q, ct::memory_order_acquire_t{}) == 0);
  ct::atomic_add(q, 1, ct::memory_order_acquire_t{});
//^ warning: the value that 'atomic_add' acquires is not used, so the program cannot tell what has
//  been released; write a relaxed order [tile:atomics/unused-acquire]
  // right: ct::atomic_add(q, 1, ct::memory_order_relaxed_t{});
  ct::atomic_load(q, ct::memory_order_relaxed_t{});
//^ warning: the result of 'atomic_load' is not used, and the call has no other effect
//  [tile:general_principles/unused-result]
  // right: n += ct::atomic_load(q, ct::memory_order_relaxed_t{});
  ct::store(p + ct::iota<ct::tile<int, ct::shape<8>>>(), x);
}

template <class T> __tile__ T twice(T x) {
  T result;
 // ^ note: 'result' is declared here, without a value
  return result + x + x;
  //     ^ warning: 'result' is read before anything is written to it [tile:tile/read-unwritten]
  // right: return x + x;
}
__tile_global__ void unwritten(float *p, int n) {
  auto at = p + ct::iota<ct::tile<int, ct::shape<8>>>();
  F8 sum, product, other;
  // ^ note: 'sum' is declared here, without a value
  //               ^ note: 'other' is declared here, without a value
  for (int i = 0; i < n; ++i)
    sum = sum + ct::load(at + i);
    //    ^ warning: 'sum' is read before anything is written to it [tile:tile/read-unwritten]
    // right: sum = ct::load(at + i);
  while (n < 8) {
    F8 part;
    // ^ note: 'part' is declared here, without a value
    if (n == 0)
      part = part * sum;
      //     ^ warning: 'part' is read before anything is written to it [tile:tile/read-unwritten]
      // right: part = sum * sum;
    n++;
  }
  auto scale = [&](F8 by) { return product * by; };
  auto copy = other;
  //          ^ warning: 'other' is read before anything is written to it [tile:tile/read-unwritten]
  // right: auto copy = sum;
  ct::store(at, twice(sum) + scale(copy));
  //            ^ note: in twice<tile<float, 8>>, called at warnings.cu:*
}

__tile_global__ void boxes(float *p, int i) {
  ct::partition_view view{ct::tensor_span{p, ct::extents<int, 64, 24>{}}, ct::shape<16, 16>{}};
  auto x = view.load(4, 0);
  //                 ^ warning: 'load' of tile 4 along dimension 0 accesses elements 64 to 79, but
  //                the view has 64 [tile:partition_view/outside-of-view]
  // right: auto x = view.load(3, 0);
  auto y = view.load(i, 1);
  //                    ^ warning: 'load' of tile 1 along dimension 1 accesses elements 16 to 31,
  //                but the view has 24; without a mask, all of the tile must be inside
  //                [tile:partition_view/outside-of-view]
  // right: auto y = view.load_masked(i, 1);
  view.store_masked(x + y, -1, 0);
  //                       ^ warning: 'store_masked' of tile -1 along dimension 0 accesses elements
  //                -16 to -1, but the view has 64 [tile:partition_view/outside-of-view]
  // right: view.store_masked(x + y, 1, 0);
}
template <int I> __tile_global__ void box_of(float *p) {
  ct::partition_view view{ct::tensor_span{p, ct::extents<int, 64, 24>{}}, ct::shape<16, 16>{}};
  auto x = view.load(0, 0);
  view.store(x, I, 0);
  //            ^ warning: 'store' of tile 7 along dimension 0 accesses elements 112 to 127, but the
  //              view has 64 [tile:partition_view/outside-of-view]
  if (I < 4)
    view.store(x, I, 0);
}
template __tile_global__ void box_of<7>(float *);
//                            ^ note: in box_of<7>, launched at warnings.cu:*

__tile_global__ void long_doubles(double *p) {
  long double x = p[0];
  //          ^ warning: 'x' has type 'long double'; tile code computes it as double
  //            [tile:types/long-double]
  // right: double x = p[0];
  p[0] = double(x * x);
}

[[cutile::hint(0, ocupancy = 2)]] __tile_global__ void hints(float *p) {
//                ^ warning: unknown hint 'ocupancy'; did you mean 'occupancy'?
//                  [tile:optimization_hints/unknown-hint]
// fix: [[cutile::hint(0, occupancy = 2)]] __tile_global__ void hints(float *p) {
  float x;
  [[using cutile: hint(900, latency = 2), hint(0, speed = 3)]] x = ct::load(p);
  //                                              ^ warning: unknown hint 'speed'; it is ignored
  //                [tile:optimization_hints/unknown-hint]
  // right: [[using cutile: hint(900, latency = 2), hint(0, latency = 3)]] x = ct::load(p);
  ct::store(p, x);
}
