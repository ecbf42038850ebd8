// Checked access to memory: what the arch tier does to shared and global memory under the emulator.
//
// Every byte of dynamic shared memory has a shadow: its last writer and last readers and when that
// was. An access that no barrier orders with another thread's, a read of a byte that nothing has
// written or that an asynchronous copy is still to write, an access outside or misaligned is
// reported (report.h). Global memory has a shadow for each block by itself: a thread's write and
// another's read of the same block need a barrier between them as well. Atomics go past it.
#pragma once

#include <cstddef>

namespace tessera::emulate {

// `place` is the code that accesses, by default the caller.
void read_shared(const void *from, void *to, std::size_t bytes, const void *place = nullptr);
void write_shared(void *to, const void *from, std::size_t bytes);

// The copy reads its source and writes its destination when it is waited for, not earlier. The last
// bytes - valid_bytes become zeros.
void copy_async(void *shared, const void *global, std::size_t bytes, std::size_t valid_bytes);
void commit_async();
// Completes the running thread's copies but for its `pending` newest committed groups and what is
// not committed yet.
void wait_async(unsigned pending);

void read_global(const void *from, void *to, std::size_t bytes);
void write_global(void *to, const void *from, std::size_t bytes);

} // namespace tessera::emulate
