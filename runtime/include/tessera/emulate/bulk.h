// Tier arch under the emulator: the functions of arch/bulk.cuh.
#pragma once

#include <tessera/emulate/proxy.h>

namespace tessera::arch {

inline std::byte *shared_pointer(void *base, int offset) {
  return static_cast<std::byte *>(base) + offset;
}

inline void mbarrier_init(void *base, int offset, int count) {
  emulate::begin_phases(shared_pointer(base, offset), count);
}
inline void fence_mbarrier_init() {}
inline void mbarrier_arrive(void *base, int offset) {
  emulate::arrive(shared_pointer(base, offset), 0);
}
inline void mbarrier_arrive_expect(void *base, int offset, int bytes) {
  emulate::arrive(shared_pointer(base, offset), bytes);
}
inline void mbarrier_wait(void *base, int offset, int parity) {
  emulate::wait_phase(shared_pointer(base, offset), parity);
}
inline void mbarrier_end(void *base, int offset) {
  emulate::end_phases(shared_pointer(base, offset));
}
template <int Rank> void copy_box(void *base, int offset, const tensor_map &map,
                                  const box_coordinates<Rank> &at, int barrier) {
  emulate::copy_bulk(shared_pointer(base, offset), map, at.at, shared_pointer(base, barrier));
}
inline void copy_bytes(void *base, int offset, const void *from, int bytes, int barrier) {
  emulate::copy_bulk(shared_pointer(base, offset), from, bytes, shared_pointer(base, barrier));
}
template <int ElementBytes, int RowBytes, int Rank>
const tensor_map *find_tensor_map(void *, int, const boxed_array<Rank> &from) {
  static_assert(RowBytes == 128 || RowBytes == 64 || RowBytes == 32, "what a unit exchanges");
  tensor_map map;
  emulate::make_map(map, Rank, ElementBytes, from.base, from.extent, from.stride, from.box,
                    from.rounds_to_tf32);
  return emulate::known_tensor_map(map);
}
template <int Rank> void store_box(const void *base, int offset, const tensor_map &map,
                                   const box_coordinates<Rank> &at) {
  emulate::store_bulk(static_cast<const std::byte *>(base) + offset, map, at.at);
}
inline void store_commit() { emulate::commit_bulk_stores(); }
template <int N> void store_wait() { emulate::wait_bulk_stores(N); }
template <int N> void store_wait_written() { emulate::wait_bulk_stores_written(N); }
template <int Count> void setmaxnreg_dec() {
  static_assert(Count >= 24 && Count <= 256 && Count % 8 == 0, "what the instruction takes");
  emulate::set_registers(Count, /*increases=*/false);
}
template <int Count> void setmaxnreg_inc() {
  static_assert(Count >= 24 && Count <= 256 && Count % 8 == 0, "what the instruction takes");
  emulate::set_registers(Count, /*increases=*/true);
}
inline void named_barrier(int number, int threads) { emulate::named_barrier(number, threads); }

} // namespace tessera::arch
