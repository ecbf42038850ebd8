// Tier arch under the emulator: the functions of arch/warpgroup.cuh. A multiply is done when it is
// waited for, so that accumulators which are used before do not have it; what it reads in shared
// memory must not change from its start on, and must have been fenced if threads wrote it.
#pragma once

#include <tessera/emulate/engine.h>

#include <type_traits>

#include "../types.cuh"

namespace tessera::emulate {

// An operand of a multiply: where it starts in the block's shared memory, how it goes on (see
// arch::operand_at), and whether its outer dimension, m or n, runs along the rows of 128 bytes.
struct warpgroup_operand {
  unsigned long long place;
  bool is_outer_along_rows;
};

// d[0 .. n / 2) += a * b, 64 x 16 times 16 x n. All threads of the warpgroup take part.
void start_multiply(float *d, warpgroup_operand a, warpgroup_operand b, int n, bool are_half);
void commit_multiplies();
void wait_multiplies(unsigned pending);
// See arch::fence_async.
void fence_async();

} // namespace tessera::emulate

namespace tessera::arch {

inline int warpgroup_start() { return static_cast<int>(emulate::current->warp()) & ~3; }
inline void fence_async() { emulate::fence_async(); }
inline void wgmma_fence() {}
inline void wgmma_commit() { emulate::commit_multiplies(); }
template <int N> void wgmma_wait() { emulate::wait_multiplies(N); }
template <int Count> void pin(float *) {}

inline unsigned long long operand_at(const void *base, int offset, int groups, int panels) {
  const auto address = static_cast<unsigned long long>(static_cast<const std::byte *>(base) +
                                                       offset - emulate::current->block->shared);
  return static_cast<unsigned long long>(groups) << 40 |
         static_cast<unsigned long long>(panels) << 20 | address;
}

template <class T, int N, bool ColumnsOfA, bool RowsOfB>
void wgmma_m64k16(float *d, unsigned long long a, unsigned long long b) {
  static_assert(std::is_same_v<T, half> || std::is_same_v<T, bf16>, "operands are half or bf16");
  emulate::start_multiply(d, {a, ColumnsOfA}, {b, RowsOfB}, N, std::is_same_v<T, half>);
}

} // namespace tessera::arch
