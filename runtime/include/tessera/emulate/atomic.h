// Atomic operations and fences as the emulator sees them: what they order, and whether an access
// that is not atomic races with them.
#pragma once

#include <cstddef>

namespace tessera::emulate {

// Scopes as far as one GPU tells them apart.
enum class reach : unsigned char { block, device };

enum class atomic_effect : unsigned char { read, write, update };

struct atomic_order {
  bool acquires = false;
  bool releases = false;
  reach scope = reach::device;
};

// The operation itself stands between the two calls, in one thread, with no meeting: nobody else is
// at an atomic operation on these bytes then. Nothing happens outside kernels.
void begin_atomic(const void *address);
void end_atomic(const void *address, std::size_t bytes, atomic_effect effect, atomic_order order);
// Orders, but is no access: plain accesses beside it are unseen, as in hand-written kernels.
void end_unseen_atomic(const void *address, atomic_effect effect, atomic_order order);

// Acquires and releases by the relaxed operations before and after it.
void fence(reach scope);

} // namespace tessera::emulate
