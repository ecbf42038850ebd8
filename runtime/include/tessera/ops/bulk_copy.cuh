// Global to shared memory by bulk copies (sm_90): one thread starts the copy of a whole tile, which
// completes on an mbarrier.
//
// A ring has two barriers for each stage: the full barrier completes a phase when the tiles have
// arrived, the empty barrier when all consumers have released the stage. The producer waits for
// `empty` with the opposite parity of the consumers' wait for `full`, so that a fresh ring is
// empty.
#pragma once

#include "../arch/bulk.cuh"
#include "warpgroup_mma.cuh"

namespace tessera {

// An mbarrier: 8 bytes at an offset in the block's shared memory.
struct phase_barrier {
  int offset;
};

// One thread calls it, with the arrivals that each phase expects; then fence_barriers() and a
// barrier of all threads.
TESSERA_DEVICE void init(phase_barrier b, int arrivals) {
  arch::mbarrier_init(shared_memory(), b.offset, arrivals);
}
TESSERA_DEVICE void fence_barriers() { arch::fence_mbarrier_init(); }

TESSERA_DEVICE void arrive(phase_barrier b) { arch::mbarrier_arrive(shared_memory(), b.offset); }

// Arrives and raises the expected transaction count of the phase by `bytes`.
TESSERA_DEVICE void arrive_for(phase_barrier b, int bytes) {
  arch::mbarrier_arrive_expect(shared_memory(), b.offset, bytes);
}

TESSERA_DEVICE void wait(phase_barrier b, int parity) {
  arch::mbarrier_wait(shared_memory(), b.offset, parity);
}

// A barrier of `threads` threads of the block (whole warps); `number` is 1 to 15.
TESSERA_DEVICE void barrier_of_warps(int number, int threads) {
  arch::named_barrier(number, threads);
}

// Starts the copy of the tensor map's box at (row, column) into a tile of panels; elements outside
// the array become zeros. The map's boxes are panels of the tile. One thread calls it.
template <class T, class Shape, int LogRows, int LogColumns>
TESSERA_DEVICE void copy_box(shared_tile<T, Shape, panels<T, LogRows, LogColumns>> tile,
                             const tensor_map &map, int row, int column, phase_barrier b) {
  static_assert(panels<T, LogRows, LogColumns>::bytes == 128, "a box's rows have 128 bytes");
  constexpr int width = 128 / static_cast<int>(sizeof(T));
  unsigned char *shared = shared_memory();
  const int start = static_cast<int>(reinterpret_cast<unsigned char *>(tile.pointer) - shared);
  TESSERA_UNROLL
  for (int p = 0; p < Shape::extent(1) / width; ++p)
    arch::copy_box(shared, start + p * Shape::extent(0) * 128, map,
                   box_coordinates<2>{{column + p * width, row}}, b.offset);
}

// Starts the store of a panel, or of some of its rows, to the tensor map's box at (row, column);
// elements outside the array are not written. One thread calls it, after all threads that wrote the
// panel have fenced and met. The panel may be overwritten after commit_stores and wait_stores.
template <class T, class Shape, int LogRows, int LogColumns>
TESSERA_DEVICE void store_box(shared_tile<T, Shape, panels<T, LogRows, LogColumns>> tile,
                              int first_row, const tensor_map &map, int row, int column) {
  static_assert(Shape::extent(1) * sizeof(T) == 128, "one panel");
  unsigned char *shared = shared_memory();
  const int start = static_cast<int>(reinterpret_cast<unsigned char *>(tile.pointer) - shared);
  arch::store_box(shared, start + first_row * 128, map, box_coordinates<2>{{column, row}});
}
TESSERA_DEVICE void commit_stores() { arch::store_commit(); }

// All but the N youngest groups of this thread's stores have been read from shared memory.
template <int N> TESSERA_DEVICE void wait_stores() { arch::store_wait<N>(); }

} // namespace tessera
