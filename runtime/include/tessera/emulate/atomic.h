// Atomic operations and fences in the emulator: what they order, and whether a non-atomic access
// races with them.
#pragma once

#include <cstddef>

namespace tessera::emulate {

// The scopes that differ on one GPU.
enum class reach : unsigned char { block, device };

enum class atomic_effect : unsigned char { read, write, update };

struct atomic_order {
  bool acquires = false;
  bool releases = false;
  reach scope = reach::device;
};

// The operation itself runs between the two calls, in one thread, without a meeting: nobody else
// performs an atomic operation on these bytes then. No effect outside kernels.
void begin_atomic(const void *address);
void end_atomic(const void *address, std::size_t bytes, atomic_effect effect, atomic_order order);
// Orders, but is not an access: plain accesses to the same bytes are not checked, as in
// hand-written kernels.
void end_unseen_atomic(const void *address, atomic_effect effect, atomic_order order);

// Acquires and releases for the relaxed operations before and after it.
void fence(reach scope);

} // namespace tessera::emulate
