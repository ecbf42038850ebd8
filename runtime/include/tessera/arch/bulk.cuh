// Bulk copies of boxes between global and shared memory (sm_90), and the mbarriers on which they
// complete. One thread starts a copy; a tensor map describes the array and the box's layout in
// shared memory.
#pragma once

#include "arch.cuh"

#include "../tensor_map.h"

#if defined(TESSERA_EMULATE)
#include <tessera/emulate/bulk.h>
#else

namespace tessera::arch {

// An mbarrier: 8 bytes of shared memory. A phase completes after `count` arrivals and the expected
// bytes of the phase; the parity distinguishes phases, the first has 0.
TESSERA_DEVICE void mbarrier_init(void *base, int offset, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(base, offset)),
               "r"(count)
               : "memory");
}

// Makes the initialization visible to the asynchronous proxy and to the cluster.
TESSERA_DEVICE void fence_mbarrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

TESSERA_DEVICE void mbarrier_arrive(void *base, int offset) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(base, offset))
               : "memory");
}

// Arrives and raises the expected transaction count by `bytes`.
TESSERA_DEVICE void mbarrier_arrive_expect(void *base, int offset, int bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(base, offset)),
      "r"(bytes)
      : "memory");
}

// Returns when the phase of this parity has completed.
TESSERA_DEVICE void mbarrier_wait(void *base, int offset, int parity) {
  asm volatile("{ .reg .pred done; "
               "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; "
               "@!done bra again; }" ::"r"(shared_address(base, offset)),
               "r"(parity)
               : "memory");
}

// Invalidates the mbarrier; its bytes may be reused.
TESSERA_DEVICE void mbarrier_end(void *base, int offset) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(base, offset))
               : "memory");
}

// Starts the copy of the tensor map's box at `coordinates`, zeros outside, whose bytes complete on
// an mbarrier. Offsets in shared memory are relative to `base`.
template <int Rank> TESSERA_DEVICE void copy_box(void *base, int offset, const tensor_map &map,
                                                 const box_coordinates<Rank> &coordinates,
                                                 int barrier) {
  static_assert(Rank >= 2 && Rank <= max_dimensions, "dimensions of a tensor map");
  const unsigned to = shared_address(base, offset), arrival = shared_address(base, barrier);
  const int *at = coordinates.at;
#define TESSERA_COPY_BOX(DIMENSIONS, PLACE, ...)                                                   \
  asm volatile("cp.async.bulk.tensor." DIMENSIONS                                                  \
               ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" PLACE      \
               "}], [%2];" ::"r"(to),                                                              \
               "l"(&map), "r"(arrival), __VA_ARGS__                                                \
               : "memory")
  if constexpr (Rank == 2)
    TESSERA_COPY_BOX("2d", "%3, %4", "r"(at[0]), "r"(at[1]));
  else if constexpr (Rank == 3)
    TESSERA_COPY_BOX("3d", "%3, %4, %5", "r"(at[0]), "r"(at[1]), "r"(at[2]));
  else if constexpr (Rank == 4)
    TESSERA_COPY_BOX("4d", "%3, %4, %5, %6", "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]));
  else
    TESSERA_COPY_BOX("5d", "%3, %4, %5, %6, %7", "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]),
                     "r"(at[4]));
#undef TESSERA_COPY_BOX
}

// Starts the copy of `bytes` bytes, which complete on an mbarrier. Both addresses and the number
// are multiples of 16.
TESSERA_DEVICE void copy_bytes(void *base, int offset, const void *from, int bytes, int barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
               "[%3];" ::"r"(shared_address(base, offset)),
               "l"(from), "r"(bytes), "r"(shared_address(base, barrier))
               : "memory");
}

// ---- Tensor maps that kernels make
//
// A copy reads its tensor map from global memory, where the module keeps a hash table of tensor
// maps by their contents: an entry is valid for every block of every launch, even after the memory
// is reused, and all blocks that copy from an array share one. Entries are never removed. If a
// tensor map finds no free entry within a number of probes, the block does without.

constexpr int known_tensor_maps = 4096, max_probes = 8, words_of_tensor_map_key = 24;

struct alignas(128) known_tensor_map {
  tensor_map map;
  unsigned key[words_of_tensor_map_key];
  unsigned state; // 0: free, 1: being made, 2: complete
};
template <class = void> __device__ known_tensor_map table_of_tensor_maps[known_tensor_maps];

namespace detail {

#define TESSERA_SET_FIELD(FIELD, TYPE, C, VALUE)                                                   \
  asm volatile("tensormap.replace.tile." FIELD ".shared::cta.b1024." TYPE " [%0], %1;" ::"r"(map), \
               C(VALUE)                                                                            \
               : "memory")
#define TESSERA_SET_DIMENSION(FIELD, TYPE, C, D, VALUE)                                            \
  asm volatile("tensormap.replace.tile." FIELD ".shared::cta.b1024." TYPE                          \
               " [%0], %1, %2;" ::"r"(map),                                                        \
               "n"(D), C(VALUE)                                                                    \
               : "memory")

template <int D, int Rank>
TESSERA_DEVICE void set_dimensions(unsigned map, const boxed_array<Rank> &from) {
  if constexpr (D < Rank) {
    TESSERA_SET_DIMENSION("box_dim", "b32", "r", D, from.box[D]);
    TESSERA_SET_DIMENSION("global_dim", "b32", "r", D, from.extent[D]);
    TESSERA_SET_DIMENSION("element_stride", "b32", "r", D, 1);
    if constexpr (D > 0)
      TESSERA_SET_DIMENSION("global_stride", "b64", "l", D - 1, from.stride[D]);
    set_dimensions<D + 1>(map, from);
  }
}

// Makes a tensor map, using 128 bytes of shared memory; a whole warp calls it.
template <int ElementBytes, int RowBytes, int Rank>
TESSERA_DEVICE void make_map(tensor_map *map, unsigned shared, const boxed_array<Rank> &from) {
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(shared + 4 * static_cast<unsigned>(lane_index())),
               "r"(0)
               : "memory");
  warp_barrier();
  if (lane_index() == 0) {
    constexpr int type = ElementBytes == 1 ? 0 : ElementBytes == 2 ? 1 : ElementBytes == 4 ? 2 : 4;
    constexpr int tf32 = 11;
    constexpr int exchange = RowBytes == 128 ? 3 : RowBytes == 64 ? 2 : 1;
    const unsigned map = shared;
    TESSERA_SET_FIELD("global_address", "b64", "l", from.base);
    TESSERA_SET_FIELD("rank", "b32", "n", Rank - 1);
    if (from.rounds_to_tf32)
      TESSERA_SET_FIELD("elemtype", "b32", "n", tf32);
    else
      TESSERA_SET_FIELD("elemtype", "b32", "n", type);
    TESSERA_SET_FIELD("interleave_layout", "b32", "n", 0);
    TESSERA_SET_FIELD("swizzle_mode", "b32", "n", exchange);
    TESSERA_SET_FIELD("fill_mode", "b32", "n", 0);
    set_dimensions<0>(map, from);
  }
  warp_barrier();
  asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync."
               "aligned [%0], [%1], 128;" ::"l"(__cvta_generic_to_global(map)),
               "r"(shared)
               : "memory");
}
#undef TESSERA_SET_DIMENSION
#undef TESSERA_SET_FIELD

// The contents of a tensor map; no two tensor maps have the same words, and no word is 0. Free
// entries have zeros: words that are those of a key were written as that key.
template <int Rank> struct tensor_map_key {
  static constexpr int count = 3 + 4 * Rank;
  static_assert(count <= words_of_tensor_map_key, "an entry has room for it");
  unsigned words[count];
};

template <int ElementBytes, int RowBytes, int Rank>
TESSERA_DEVICE tensor_map_key<Rank> key_of(const boxed_array<Rank> &from) {
  // Of multiples of 16, and of numbers below 2^31, a bit is free.
  constexpr unsigned low = 1, high = 1u << 31;
  tensor_map_key<Rank> key;
  const auto base = reinterpret_cast<unsigned long long>(from.base);
  key.words[0] = static_cast<unsigned>(base) | low;
  key.words[1] = static_cast<unsigned>(base >> 32) | high;
  key.words[2] = Rank | ElementBytes << 8 | RowBytes << 16 | (from.rounds_to_tf32 ? 1u << 24 : 0u);
  TESSERA_UNROLL
  for (int d = 0; d < Rank; ++d) {
    const unsigned long long stride = d > 0 ? from.stride[d] : 0;
    key.words[3 + 4 * d] = from.extent[d] | high;
    key.words[4 + 4 * d] = static_cast<unsigned>(stride) | low;
    key.words[5 + 4 * d] = static_cast<unsigned>(stride >> 32) | high;
    key.words[6 + 4 * d] = static_cast<unsigned>(from.box[d]);
  }
  return key;
}

// Word i for lane i; 0 for the lanes behind the last word. Through 128 bytes of shared memory,
// which takes fewer instructions than a choice by lane: they run once, mostly out of no cache.
template <int Rank>
TESSERA_DEVICE unsigned word_of_lane(const tensor_map_key<Rank> &key, unsigned shared) {
  constexpr int count = tensor_map_key<Rank>::count;
  TESSERA_UNROLL
  for (int i = 0; i < count; i += 4) {
    auto word = [&](int at) { return at < count ? key.words[at] : 0u; };
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(shared + 4 * i), "r"(word(i)),
                 "r"(word(i + 1)), "r"(word(i + 2)), "r"(word(i + 3))
                 : "memory");
  }
  warp_barrier();
  const unsigned lane = static_cast<unsigned>(lane_index());
  unsigned word;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(shared + 4 * lane) : "memory");
  return lane < count ? word : 0;
}

// Of the words of all lanes.
TESSERA_DEVICE unsigned hash(unsigned word) {
  unsigned h = word * 0x9e3779b1u;
  h ^= h >> 15;
  h *= 0x85ebca6bu * (2 * static_cast<unsigned>(lane_index()) + 1);
  h ^= h >> 13;
  return __reduce_add_sync(0xffffffffu, h);
}

TESSERA_DEVICE unsigned read(const unsigned *word) {
  unsigned x;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(word) : "memory");
  return x;
}
TESSERA_DEVICE unsigned acquire(const unsigned *word) {
  unsigned x;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(word) : "memory");
  return x;
}
TESSERA_DEVICE void release(unsigned *word, unsigned x) {
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(word), "r"(x) : "memory");
}

TESSERA_DEVICE void write(unsigned *word, unsigned x) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(word), "r"(x) : "memory");
}

// The entry of a key, or -1; is_new: the caller owns the entry and makes the tensor map. A whole
// warp calls it, each lane with its word of a key of `Count` words. A warp that waits here waits
// for one that is running.
template <int Count> TESSERA_DEVICE int find_entry(unsigned word, bool &is_new) {
  constexpr unsigned all = 0xffffffffu;
  static_assert(Count < 32, "a lane reads the state");
  const int lane = lane_index();
  const unsigned first = hash(word);
  for (int probe = 0; probe < max_probes; ++probe) {
    const int at = static_cast<int>((first + static_cast<unsigned>(probe)) % known_tensor_maps);
    known_tensor_map &entry = table_of_tensor_maps<>[at];
    // Mostly the entry is there: its key and its state come in one trip to the L2 cache, and the
    // tensor map, which the first copy reads, is on its way there. The fence before that copy makes
    // the read of the key an acquire. A key that is read before the state may lack words; it is
    // then no key, and is read again.
    asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(&entry.map)));
    const unsigned found = read(lane < Count ? &entry.key[lane] : &entry.state);
    unsigned state = __shfl_sync(all, found, 31);
    if (__all_sync(all, lane >= Count || found == word) && state == 2)
      return at;
    auto acquire_state = [&] {
      const unsigned now = lane == 0 ? acquire(&entry.state) : 0;
      warp_barrier();
      return __shfl_sync(all, now, 0);
    };
    if (state == 0) {
      const unsigned before =
          lane == 0 ? compare_exchange<scope::device>(&entry.state, 0u, 1u) : 0u;
      if (__shfl_sync(all, before, 0) == 0) {
        is_new = true;
        return at;
      }
    }
    do
      state = acquire_state();
    while (state == 1);
    if (__all_sync(all, lane >= Count || read(&entry.key[lane]) == word))
      return at;
  }
  return -1;
}

} // namespace detail

// The tensor map of an array and its boxes; null if there is none. A whole warp calls it and may
// start copies with the result. `offset`: of 128 bytes of shared memory, aligned to 128. RowBytes:
// of a box's rows, 128, 64 or 32, whose chunks are swizzled like those of panels.
template <int ElementBytes, int RowBytes, int Rank> TESSERA_DEVICE const tensor_map *
find_tensor_map(void *base, int offset, const boxed_array<Rank> &from) {
  constexpr int count = detail::tensor_map_key<Rank>::count;
  const unsigned shared = shared_address(base, offset);
  const unsigned word = detail::word_of_lane(detail::key_of<ElementBytes, RowBytes>(from), shared);
  bool is_new = false;
  const int at = detail::find_entry<count>(word, is_new);
  if (at < 0)
    return nullptr;
  known_tensor_map &entry = table_of_tensor_maps<>[at];
  if (is_new) {
    detail::make_map<ElementBytes, RowBytes>(&entry.map, shared, from);
    if (lane_index() < count)
      detail::write(&entry.key[lane_index()], word);
    warp_barrier();
    if (lane_index() == 0)
      detail::release(&entry.state, 2);
  }
  warp_barrier();
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(
                   __cvta_generic_to_global(&entry.map))
               : "memory");
  return &entry.map;
}

// Starts the store of a box; elements outside the array are not written. Threads must have fenced
// their writes to shared memory.
template <int Rank> TESSERA_DEVICE void store_box(const void *base, int offset,
                                                  const tensor_map &map,
                                                  const box_coordinates<Rank> &coordinates) {
  static_assert(Rank >= 2 && Rank <= max_dimensions, "dimensions of a tensor map");
  const unsigned from = shared_address(base, offset);
  const int *at = coordinates.at;
#define TESSERA_STORE_BOX(DIMENSIONS, PLACE, ...)                                                  \
  asm volatile("cp.async.bulk.tensor." DIMENSIONS                                                  \
               ".global.shared::cta.tile.bulk_group [%0, {" PLACE "}], [%1];" ::"l"(&map),         \
               "r"(from), __VA_ARGS__                                                              \
               : "memory")
  if constexpr (Rank == 2)
    TESSERA_STORE_BOX("2d", "%2, %3", "r"(at[0]), "r"(at[1]));
  else if constexpr (Rank == 3)
    TESSERA_STORE_BOX("3d", "%2, %3, %4", "r"(at[0]), "r"(at[1]), "r"(at[2]));
  else if constexpr (Rank == 4)
    TESSERA_STORE_BOX("4d", "%2, %3, %4, %5", "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]));
  else
    TESSERA_STORE_BOX("5d", "%2, %3, %4, %5, %6", "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]),
                      "r"(at[4]));
#undef TESSERA_STORE_BOX
}
TESSERA_DEVICE void store_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

// All but the N youngest groups of this thread have read shared memory.
template <int N> TESSERA_DEVICE void store_wait() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}
// The same, and their writes to global memory are complete.
template <int N> TESSERA_DEVICE void store_wait_written() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory");
}

// The number of registers of each thread of this warpgroup from here on.
template <int Count> TESSERA_DEVICE void setmaxnreg_dec() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Count));
}
template <int Count> TESSERA_DEVICE void setmaxnreg_inc() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Count));
}

// A barrier of `threads` threads, a multiple of 32. Number 0 is the block's barrier.
TESSERA_DEVICE void named_barrier(int number, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

} // namespace tessera::arch

#endif
