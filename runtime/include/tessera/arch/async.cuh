// cp.async: global to shared without registers. A copy is visible to its own thread after
// cp_async_wait, to the block after a barrier.
#pragma once

#include "shared.cuh"

namespace tessera::arch {

// Copies Bytes = 4, 8 or 16 (both addresses aligned to Bytes); where `valid` is false, writes zeros
// and reads nothing.
template <int Bytes>
TESSERA_DEVICE void cp_async(void *base, int offset, const void *global, bool valid) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "cp.async copies 4, 8 or 16 bytes");
  const unsigned address = shared_address(base, offset);
  const int size = valid ? Bytes : 0;
  if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(global),
                 "r"(size)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(address), "l"(global),
                 "n"(Bytes), "r"(size)
                 : "memory");
}

// Copies bytes `first` to `end` of an aligned group of 16; bytes in front are undefined, bytes
// after are zeros. Reads nothing if the range is empty or `valid` is false; `end` may be less than
// `first`, or more than 16.
TESSERA_DEVICE void cp_async_part(void *base, int offset, const void *group, int first, int end,
                                  bool valid) {
  const int part = end <= first ? 0 : end < 16 ? end : 16, size = valid ? part : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(base, offset)),
               "l"(group), "r"(size)
               : "memory");
}

// The same, predicated by `when`: else nothing is copied. A predicate of the instruction, no
// branch.
template <int Bytes>
TESSERA_DEVICE void cp_async_if(bool when, void *base, int offset, const void *global, bool valid) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "cp.async copies 4, 8 or 16 bytes");
  const unsigned address = shared_address(base, offset);
  const int size = valid ? Bytes : 0;
  if constexpr (Bytes == 16)
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %3, 0;\n"
                 "@p cp.async.cg.shared.global [%0], [%1], 16, %2;\n}" ::"r"(address),
                 "l"(global), "r"(size), "r"(static_cast<int>(when))
                 : "memory");
  else
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\n"
                 "@p cp.async.ca.shared.global [%0], [%1], %2, %3;\n}" ::"r"(address),
                 "l"(global), "n"(Bytes), "r"(size), "r"(static_cast<int>(when))
                 : "memory");
}

TESSERA_DEVICE void cp_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// All but the N youngest groups of this thread are complete.
template <int N> TESSERA_DEVICE void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

} // namespace tessera::arch
