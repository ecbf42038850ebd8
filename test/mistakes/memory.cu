// [tile:memory_operations] Loads and stores through pointers: the value's shape and type, masks.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void stores(float *p, int *q, const float *c, void *v, tile<float *, 8> ps,
                     tile<float, 8> x, tile<int, 8> i, tile<double, 8> d, unsigned u) {
  ct::store(p, 1);
//^ error: 'store': int would narrow to float, the element type of float *; write 1.0f
//  [tile:memory_operations/value-narrows]
  // fix: ct::store(p, 1.0f);
  ct::store(p, 2.0);
//^ error: 'store': double would narrow to float, the element type of float *; write 2.0f
//  [tile:memory_operations/value-narrows]
  // fix: ct::store(p, 2.0f);
  ct::store(ps, i);
//^ error: 'store': int would narrow to float, the element type of tile<float *, 8>; write
//  ct::element_cast<float>(i) [tile:memory_operations/value-narrows]
  // fix: ct::store(ps, ct::element_cast<float>(i));
  ct::store(ps, d + 1.0);
//^ error: 'store': double would narrow to float, the element type of tile<float *, 8>; write
//  ct::element_cast<float>(d + 1.0) [tile:memory_operations/value-narrows]
  // fix: ct::store(ps, ct::element_cast<float>(d + 1.0));
  ct::store(q, u);
//^ error: 'store': unsigned int would narrow to int, the element type of int *; write
//  ct::element_cast<int>(u) [tile:memory_operations/value-narrows]
  // fix: ct::store(q, ct::element_cast<int>(u));
  ct::store(ps, 1.0f);
//^ error: 'store' of float through tile<float *, 8>: the value must have the shape of the pointers;
//  it does not broadcast [tile:memory_operations/value-shape]
  ct::store(p, x);
//^ error: 'store' of tile<float, 8> through float *: the value must have the shape of the pointers;
//  it does not broadcast [tile:memory_operations/value-shape]
  ct::store(c, 1.0f);
//^ error: 'store' through const float *: the pointer points to const elements
//  [tile:memory_operations/const-pointee]
  ct::store(v, 1.0f);
//^ error: 'store' through void *: void has no elements [tile:memory_operations/void-pointee]
  // right: ct::store(static_cast<float *>(v), 1.0f);
  ct::store(p, 1.0f, ct::memory_order_relaxed_t{});
//^ error: 'store' takes no memory order; atomic_store does [tile:memory_operations/plain-order]
  // right: ct::atomic_store(p, 1.0f, ct::memory_order_relaxed_t{});
  ct::store(x, x);
//^ error: 'store' through tile<float, 8>, which is not a pointer to numbers
//  [tile:memory_operations/no-pointers]
  // right: ct::store(ps, x);
}
__tile__ void loads(float *p, volatile float *v, tile<float *, 8> ps, tile<bool, 16> wide,
                    tile<bool, 8> m, tile<float, 8> x, int n) {
  auto x1 = ct::load(n);
  //        ^ error: 'load' through int, which is not a pointer to numbers
  //          [tile:memory_operations/no-pointers]
  auto x2 = ct::load(v);
  //        ^ error: 'load' through volatile float *: tile code does not access volatile memory
  //          [tile:memory_operations/volatile-pointee]
  // right: auto x2 = ct::load(p);
  auto x3 = ct::load_masked(ps, wide);
  //        ^ error: 'load_masked': tile<bool, 16> does not broadcast to the shape 8; its extent 16
  //          along dimension 0 is neither 8 nor 1 [tile:general_principles/broadcast-to]
  auto x4 = ct::load_masked(ps, m, 0.0);
  //        ^ error: 'load_masked': double would narrow to float, the element type of tile<float *,
  //          8>; write 0.0f [tile:memory_operations/value-narrows]
  // fix: auto x4 = ct::load_masked(ps, m, 0.0f);
  auto x5 = ct::load(p, ct::memory_order_acquire_t{});
  //        ^ error: 'load' takes no memory order; atomic_load does
  //          [tile:memory_operations/plain-order]
  ct::store_masked(ps, m, x);
//^ error: 'store_masked': the mask must follow the value [tile:memory_operations/mask-position]
  ct::store_masked(ps, x, wide);
//^ error: 'store_masked': tile<bool, 16> does not broadcast to the shape 8; its extent 16 along
//  dimension 0 is neither 8 nor 1 [tile:general_principles/broadcast-to]
}
