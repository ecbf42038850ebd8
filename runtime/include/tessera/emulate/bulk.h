// Tier arch under the emulator: the functions of arch/bulk.cuh. A copy reads and writes when its
// phase ends, not earlier; whoever waits for a phase that never ends is reported as diverged.
#pragma once

#include <tessera/emulate/engine.h>

#include "../tensor_map.h"

namespace tessera::emulate {

// A matrix in global memory and the box of it that a copy takes, row by row; what lies in a tensor
// map. Chunks of 16 bytes are exchanged as panels of 128 bytes have them.
struct boxes {
  void *base;
  long long row_bytes; // from one row to the next
  int rows, columns;
  int box_rows, box_columns;
  int element_bytes;
};

void begin_phases(void *barrier, int count);
void arrive(void *barrier, int bytes);
void wait_phase(void *barrier, int parity);
void copy_bulk(void *shared, const tensor_map &map, int x, int y, void *barrier);
// Reads shared memory and writes the array when the running thread waits for the group.
void store_bulk(const void *shared, const tensor_map &map, int x, int y);
void commit_bulk_stores();
void wait_bulk_stores(unsigned pending);
// Some warps meet: `threads` of them. Memory accesses before it are ordered before those after it.
void named_barrier(int number, int threads);

inline std::byte *shared_place(void *base, int offset) {
  return static_cast<std::byte *>(base) + offset;
}

} // namespace tessera::emulate

namespace tessera::arch {

inline void mbarrier_init(void *base, int offset, int count) {
  emulate::begin_phases(emulate::shared_place(base, offset), count);
}
inline void fence_mbarrier_init() {}
inline void mbarrier_arrive(void *base, int offset) {
  emulate::arrive(emulate::shared_place(base, offset), 0);
}
inline void mbarrier_arrive_expect(void *base, int offset, int bytes) {
  emulate::arrive(emulate::shared_place(base, offset), bytes);
}
inline void mbarrier_wait(void *base, int offset, int parity) {
  emulate::wait_phase(emulate::shared_place(base, offset), parity);
}
inline void copy_box(void *base, int offset, const tensor_map &map, int x, int y, int barrier) {
  emulate::copy_bulk(emulate::shared_place(base, offset), map, x, y,
                     emulate::shared_place(base, barrier));
}
inline void store_box(const void *base, int offset, const tensor_map &map, int x, int y) {
  emulate::store_bulk(static_cast<const std::byte *>(base) + offset, map, x, y);
}
inline void store_commit() { emulate::commit_bulk_stores(); }
template <int N> void store_wait() { emulate::wait_bulk_stores(N); }
template <int> void fewer_registers() {}
template <int> void more_registers() {}
inline void named_barrier(int number, int threads) { emulate::named_barrier(number, threads); }

} // namespace tessera::arch
