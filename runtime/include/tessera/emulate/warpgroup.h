// Tier arch under the emulator: the functions of arch/warpgroup.cuh.
#pragma once

#include <tessera/emulate/proxy.h>

#include <type_traits>

#include "../types.cuh"

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
