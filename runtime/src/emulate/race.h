// Messages about accesses of memory.
#pragma once

#include "block.h"

#include <tessera/emulate/atomic.h>

namespace tessera::emulate {

enum class memory_space { shared, global };

// "reads", "atomically updates"
const char *verb_of(access_kind kind);

// The code address whose low half an access keeps: it is in the module of `location`.
const void *location_near(const void *location, std::uint32_t low);

// `mine` is the access at `first`; the clash counts its byte from `origin`.
void report_race(block_runner &runner, memory_space space, std::uintptr_t origin,
                 const access &mine, std::uintptr_t first, const clash &found,
                 const void *location);

void report_shared_range(block_runner &runner, std::ptrdiff_t offset, std::size_t count,
                         const char *verb, const void *location);
void report_shared_alignment(block_runner &runner, std::size_t offset, std::size_t count,
                             const char *verb, const void *location);
void report_global_alignment(block_runner &runner, std::uintptr_t address, std::size_t count,
                             const char *verb, const void *location);
void report_outside(block_runner &runner, std::uintptr_t address, std::size_t count,
                    const char *verb, const void *location);

// The access of an atomic operation of the running thread.
void note_atomic(const void *at, std::size_t bytes, atomic_effect effect, reach scope,
                 const void *location);

} // namespace tessera::emulate
