// Tier arch under the emulator: the functions of arch/warpgroup.cuh.
#pragma once

#include <tessera/emulate/proxy.h>

#include <algorithm>
#include <type_traits>

#include "../types.cuh"

namespace tessera::arch {

inline int warpgroup_start() { return static_cast<int>(emulate::current->warp()) & ~3; }
inline void fence_async_memory() { emulate::fence_async_memory(); }
inline void fence_async() { emulate::fence_async(); }
inline void wgmma_fence() {}
inline void wgmma_commit() { emulate::commit_multiplies(); }
template <int N> void wgmma_wait() { emulate::wait_multiplies(N); }
template <int Count, class Acc> void pin(Acc *) {}
inline void hold(unsigned) {}

inline unsigned long long operand_at(const void *base, int offset, int rows, int groups,
                                     int panels) {
  const auto address = static_cast<unsigned long long>(static_cast<const std::byte *>(base) +
                                                       offset - emulate::current->block->shared);
  return static_cast<unsigned long long>(rows) << 56 |
         static_cast<unsigned long long>(groups) << 40 |
         static_cast<unsigned long long>(panels) << 20 | address;
}

inline unsigned long long operand_beyond(unsigned long long operand, int bytes) {
  return operand + static_cast<unsigned long long>(bytes);
}

template <class T> constexpr emulate::operand_type operand_type_of() {
  if constexpr (std::is_same_v<T, half>)
    return emulate::operand_type::half;
  else if constexpr (std::is_same_v<T, bf16>)
    return emulate::operand_type::bf16;
  else if constexpr (std::is_same_v<T, tf32>)
    return emulate::operand_type::tf32;
  else if constexpr (std::is_same_v<T, fp8_e4m3>)
    return emulate::operand_type::e4m3;
  else if constexpr (std::is_same_v<T, fp8_e5m2>)
    return emulate::operand_type::e5m2;
  else if constexpr (std::is_same_v<T, signed char>)
    return emulate::operand_type::s8;
  else
    return emulate::operand_type::u8;
}

template <class T, int N, bool ColumnsOfA, bool RowsOfB, bool Adds = true, class Acc>
void wgmma_m64(Acc *d, unsigned long long a, unsigned long long b) {
  constexpr bool in_integers = std::is_same_v<T, signed char> || std::is_same_v<T, unsigned char>;
  static_assert(std::is_same_v<Acc, int> == in_integers, "integers add up in integers");
  static_assert(sizeof(T) == 2 || (!ColumnsOfA && !RowsOfB), "only 16-bit operands are transposed");
  if (!Adds)
    std::fill_n(d, N / 2, Acc());
  emulate::start_multiply(d, emulate::warpgroup_operand{a, ColumnsOfA}, {b, RowsOfB}, N,
                          operand_type_of<T>());
}

template <class T, int N, bool RowsOfB, bool Adds = true>
void wgmma_m64(float *d, const unsigned (&a)[4], unsigned long long b) {
  static_assert(sizeof(T) == 2 || !RowsOfB, "only 16-bit operands are transposed");
  if (!Adds)
    std::fill_n(d, N / 2, 0.0f);
  emulate::start_multiply(d, a, {b, RowsOfB}, N, operand_type_of<T>());
}

} // namespace tessera::arch
