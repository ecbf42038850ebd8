// Checked access to memory: the emulator's implementation of the arch tier's accesses to shared and
// global memory.
//
// Every byte of dynamic shared memory has a history: its last writer, its last readers and their
// times. Reported (report.h) are accesses that are unordered with another thread's, reads of bytes
// that nothing has written or that an asynchronous copy is still to write, and accesses outside or
// misaligned. So are races in global memory, within a block or between blocks, and accesses outside
// of what cudaMalloc returned. Atomics are in atomic.h.
#pragma once

#include <cstddef>

namespace tessera::emulate {

// `location` is the code that accesses, by default the caller.
void read_shared(const void *from, void *to, std::size_t bytes, const void *location = nullptr);
void write_shared(void *to, const void *from, std::size_t bytes, const void *location = nullptr);

// The copy reads its source and writes its destination at the wait, not earlier. The last bytes -
// valid_bytes become zeros.
void copy_async(void *shared, const void *global, std::size_t bytes, std::size_t valid_bytes);
void commit_async();
// Completes the running thread's copies except its `pending` newest committed groups and
// uncommitted copies.
void wait_async(unsigned pending);

void read_global(const void *from, void *to, std::size_t bytes);
void write_global(void *to, const void *from, std::size_t bytes);

// Global memory for the running block, until its launch ends; an access outside of it is reported.
void *allocate_for_block(std::size_t bytes);

// The running thread begins its next store of a whole tile. All threads of a block count stores
// alike: elements that one store writes twice, by whichever threads, do not race with each other.
void next_store();

} // namespace tessera::emulate
