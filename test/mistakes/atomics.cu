// [tile:atomics] Values, mask, order, scope; what is in memory.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile__ void orders(int *p, tile<int *, 8> ps, tile<int, 8> x, tile<bool, 8> m) {
  ct::atomic_add(p, 1);
//^ error: 'atomic_add' without a memory order; write memory_order_relaxed_t{} or a stricter order
//  after the values [tile:atomics/no-order]
  // right: ct::atomic_add(p, 1, ct::memory_order_relaxed_t{});
  ct::atomic_load(p, ct::memory_order_release_t{});
//^ error: 'atomic_load' with memory_order_release_t: a load must be relaxed or acquire
//  [tile:atomics/order-of-access]
  // right: auto loaded = ct::atomic_load(p, ct::memory_order_acquire_t{});
  ct::atomic_store(p, 1, ct::memory_order_acquire_t{});
//^ error: 'atomic_store' with memory_order_acquire_t: a store must be relaxed or release
//  [tile:atomics/order-of-access]
  ct::atomic_add(p, 1, ct::thread_scope_device_t{}, ct::memory_order_relaxed_t{});
//^ error: 'atomic_add': the order must precede the scope [tile:atomics/scope-before-order]
  // right: ct::atomic_add(p, 1, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
  ct::atomic_compare_exchange(p, 0, 1, ct::memory_order_acquire_t{}, ct::memory_order_relaxed_t{});
//^ error: 'atomic_compare_exchange' takes one memory order [tile:atomics/one-order]
  // right: ct::atomic_compare_exchange(p, 0, 1, ct::memory_order_acq_rel_t{});
  ct::atomic_add_masked(ps, x, ct::memory_order_relaxed_t{}, m);
//^ error: 'atomic_add_masked': the mask must follow the values and precede the order
//  [tile:memory_operations/mask-position]
  // right: ct::atomic_add_masked(ps, x, m, ct::memory_order_relaxed_t{});
}
__tile__ void values(short *s, float *f, const int *c, __half *h, int *p, tile<int *, 8> ps,
                     long n) {
  ct::atomic_add(s, short(1), ct::memory_order_relaxed_t{});
//^ error: 'atomic_add' in memory of short: the elements must be integers of 32 and 64 bits, __half,
//  __nv_bfloat16, float and double [tile:atomics/atomic-target]
  // right: ct::atomic_add(p, 1, ct::memory_order_relaxed_t{});
  ct::atomic_and(f, 1.0f, ct::memory_order_relaxed_t{});
//^ error: 'atomic_and' in memory of float: the elements must be integers of 32 and 64 bits
//  [tile:atomics/atomic-target]
  ct::atomic_xchg(h, __half(), ct::memory_order_relaxed_t{});
//^ error: 'atomic_xchg' in memory of __half: the elements must be integers of 32 and 64 bits, float
//  and double [tile:atomics/atomic-target]
  ct::atomic_add(c, 1, ct::memory_order_relaxed_t{});
//^ error: 'atomic_add' through const int *: the pointer points to const elements
//  [tile:memory_operations/const-pointee]
  // right: ct::atomic_add(p, 1, ct::memory_order_relaxed_t{});
  ct::atomic_add(f, 1, ct::memory_order_relaxed_t{});
//^ error: 'atomic_add': int would narrow to float, the element type of float *; write 1.0f
//  [tile:memory_operations/value-narrows]
  // fix: ct::atomic_add(f, 1.0f, ct::memory_order_relaxed_t{});
  ct::atomic_add(p, n, ct::memory_order_relaxed_t{});
//^ error: 'atomic_add': long would narrow to int, the element type of int *; write
//  ct::element_cast<int>(n) [tile:memory_operations/value-narrows]
  // fix: ct::atomic_add(p, ct::element_cast<int>(n), ct::memory_order_relaxed_t{});
  ct::atomic_max(ps, 1, ct::memory_order_relaxed_t{});
//^ error: 'atomic_max' of int through tile<int *, 8>: the value must have the shape of the
//  pointers; it does not broadcast [tile:memory_operations/value-shape]
  // right: ct::atomic_max(ps, ct::full<tile<int, 8>>(1), ct::memory_order_relaxed_t{});
}
