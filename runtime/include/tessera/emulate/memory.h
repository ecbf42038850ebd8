// Checked access to memory: what the arch tier does to shared and global memory under the emulator.
//
// Every byte of dynamic shared memory has a history: its last writer and last readers and when that
// was. An access that nothing orders with another thread's, a read of a byte that nothing has
// written or that an asynchronous copy is still to write, an access outside or misaligned is
// reported (report.h). So is a race in global memory, within a block or between blocks, and an
// access outside of what cudaMalloc gave. Atomics are in atomic.h.
#pragma once

#include <cstddef>

namespace tessera::emulate {

// `place` is the code that accesses, by default the caller.
void read_shared(const void *from, void *to, std::size_t bytes, const void *place = nullptr);
void write_shared(void *to, const void *from, std::size_t bytes, const void *place = nullptr);

// The copy reads its source and writes its destination when it is waited for, not earlier. The last
// bytes - valid_bytes become zeros.
void copy_async(void *shared, const void *global, std::size_t bytes, std::size_t valid_bytes);
void commit_async();
// Completes the running thread's copies but for its `pending` newest committed groups and what is
// not committed yet.
void wait_async(unsigned pending);

void read_global(const void *from, void *to, std::size_t bytes);
void write_global(void *to, const void *from, std::size_t bytes);

// Global memory for the running block, until its launch ends; an access outside of it is reported.
void *allocate_for_block(std::size_t bytes);

// The running thread begins its next store of a whole tile. All threads of a block count alike:
// elements that one store writes twice, by whichever threads, do not race with each other.
void next_store();

} // namespace tessera::emulate
