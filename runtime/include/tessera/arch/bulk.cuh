// Bulk copies of boxes between global and shared memory (sm_90), and the barriers in shared memory
// that say when they have arrived. One thread starts a copy; a tensor map says where the array lies
// and how the box is laid out in shared memory.
#pragma once

#include "arch.cuh"

#include "../tensor_map.h"

#if defined(TESSERA_EMULATE)
#include <tessera/emulate/bulk.h>
#else

namespace tessera::arch {

// A barrier: 8 bytes of shared memory. A phase ends when `count` arrivals and the bytes that were
// announced for it have come; phases are told apart by their parity, the first has 0.
TESSERA_DEVICE void mbarrier_init(void *base, int offset, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(base, offset)),
               "r"(count)
               : "memory");
}

// What was initialised is visible to the asynchronous proxy, and in the cluster.
TESSERA_DEVICE void fence_mbarrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

TESSERA_DEVICE void mbarrier_arrive(void *base, int offset) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(base, offset))
               : "memory");
}

// Arrives, and announces so many bytes of copies.
TESSERA_DEVICE void mbarrier_arrive_expect(void *base, int offset, int bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(base, offset)),
      "r"(bytes)
      : "memory");
}

// Returns when the phase of this parity has ended.
TESSERA_DEVICE void mbarrier_wait(void *base, int offset, int parity) {
  asm volatile("{ .reg .pred done; "
               "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; "
               "@!done bra again; }" ::"r"(shared_address(base, offset)),
               "r"(parity)
               : "memory");
}

// Starts the copy of the map's box at (x, y), x along its fastest dimension, zeros outside, which
// arrives at a barrier with its bytes. Everything in shared memory is at an offset of `base`.
TESSERA_DEVICE void copy_box(void *base, int offset, const tensor_map &map, int x, int y,
                             int barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%3, %4}], [%2];" ::"r"(shared_address(base, offset)),
               "l"(&map), "r"(shared_address(base, barrier)), "r"(x), "r"(y)
               : "memory");
}

// Starts the copy of a box the other way; what is outside is not written. What threads wrote to
// shared memory must have been fenced.
TESSERA_DEVICE void store_box(const void *base, int offset, const tensor_map &map, int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
          &map),
      "r"(shared_address(base, offset)), "r"(x), "r"(y)
      : "memory");
}
TESSERA_DEVICE void store_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

// All but the N youngest groups of this thread have read shared memory.
template <int N> TESSERA_DEVICE void store_wait() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

// How many registers this warpgroup's threads have from here on.
template <int Count> TESSERA_DEVICE void fewer_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Count));
}
template <int Count> TESSERA_DEVICE void more_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Count));
}

// A barrier of some warps: `threads` of them, a multiple of 32. Number 0 is the block's.
TESSERA_DEVICE void named_barrier(int number, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

} // namespace tessera::arch

#endif
