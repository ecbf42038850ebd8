// Tier arch under the emulator: the functions of arch/bulk.cuh.
#pragma once

#include <tessera/emulate/proxy.h>

namespace tessera::arch {

inline std::byte *shared_place(void *base, int offset) {
  return static_cast<std::byte *>(base) + offset;
}

inline void mbarrier_init(void *base, int offset, int count) {
  emulate::begin_phases(shared_place(base, offset), count);
}
inline void fence_mbarrier_init() {}
inline void mbarrier_arrive(void *base, int offset) {
  emulate::arrive(shared_place(base, offset), 0);
}
inline void mbarrier_arrive_expect(void *base, int offset, int bytes) {
  emulate::arrive(shared_place(base, offset), bytes);
}
inline void mbarrier_wait(void *base, int offset, int parity) {
  emulate::wait_phase(shared_place(base, offset), parity);
}
inline void copy_box(void *base, int offset, const tensor_map &map, int x, int y, int barrier) {
  emulate::copy_bulk(shared_place(base, offset), map, x, y, shared_place(base, barrier));
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
