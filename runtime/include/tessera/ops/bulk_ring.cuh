// Rings that are filled by bulk copies where a view allows them, else by cp.async: the choice is
// made when the kernel runs, by the view's base, extents and strides, and is the same for all
// threads.
//
//   const auto a_map = make_box_map<0, tile>(a_view, scratch);   // and b_map, by warp 1
//                    = given_map<0, 0>(maps);                    // or what the launch made
//   auto arrivals = begin_arrivals<3, 2>(offset, a_map, b_map);
//   copy_async<access, threads>(slot of the ring, a_view, start, a_map, arrivals, slot); ...
//   commit_group();
//   for ... { wait_group<1>(arrivals, slot); barrier(); ... }
//   end_arrivals(arrivals);
//
// Floats that are copied to where tf32 is wanted are rounded on their way by bulk copies, in place
// by threads behind wait_group otherwise:
//
//   wait_group<1>(arrivals, slot); round_copied<threads>(slot of the ring, arrivals); barrier();
//
// A stage has a phase barrier, at which each of its copies arrives once; what is in flight is told
// apart by the parities of the stages' phases. Where one of the views allows no bulk copies, all go
// by cp.async, in groups.
#pragma once

#include "bulk_copy.cuh"
#include "shifted_rows.cuh"

namespace tessera {

// What warp Warp, whose first thread starts the copies, has for a view. Whether there is a map the
// warp alone knows; null in all other threads.
template <int Warp> struct box_map {
  const tensor_map *map;
};

// A map that the launch made, or null; the same for all threads.
template <int Warp> struct launched_map : box_map<Warp> {};

// A map that the launch made: without it, it would not have run this kernel.
template <int Warp> struct sure_map : launched_map<Warp> {};

// The phase barriers of a ring's stages.
template <int Stages> struct arrivals {
  int offset;
  bool is_bulk;
  unsigned parities; // bit s: of the phase of stage s that is waited for next

  TESSERA_DEVICE phase_barrier stage(int slot) const { return {offset + slot * 8}; }
};

// Those of a ring that nothing but bulk copies fill.
template <int Stages> struct bulk_arrivals : arrivals<Stages> {};

// Those of a ring that a warp of its own fills. A second phase of each stage ends when all who read
// the stage have released it, warpgroups or warps; `parities` are of the one or the other, by who
// holds them.
template <int Stages, int ThreadsOfReader> struct ring_arrivals : bulk_arrivals<Stages> {
  TESSERA_DEVICE phase_barrier freed(int slot) const {
    return {this->offset + (Stages + slot) * 8};
  }
};

namespace detail {

// May boxes of the view be copied in bulk? Only where memory runs along the last dimension, from
// one 16 bytes to the next along all others.
template <class T, int Rank> TESSERA_BOTH bool allows_boxes(const view<T, Rank> &v) {
  constexpr long long most_elements = 0x7fffffff, most_bytes = 1ll << 40;
  const auto address = reinterpret_cast<unsigned long long>(v.base);
  bool result = (address % 16 == 0) & (v.stride[Rank - 1] == 1);
  for (int d = 0; d < Rank; ++d) {
    result &= (v.extent[d] >= 0) & (v.extent[d] <= most_elements);
    if (d == Rank - 1)
      continue;
    const long long bytes = v.stride[d] * static_cast<long long>(sizeof(T));
    result &= (bytes > 0) & (bytes < most_bytes) & (bytes % 16 == 0);
  }
  return result;
}

template <class Tile> struct boxes_of_tile;
template <class T, class Shape, int LogRows, int LogColumns>
struct boxes_of_tile<shared_tile<T, Shape, panels<T, LogRows, LogColumns>>> {
  using swizzle = panels<T, LogRows, LogColumns>;
  static constexpr int rank = Shape::rank, width = 1 << swizzle::log_width;
  static constexpr int panel_bytes = swizzle::bytes << LogRows;
  static constexpr int count = (1 << LogColumns) / width;
  static_assert(Shape::extent(rank - 1) == 1 << LogColumns, "rows of a box are rows of the tile");
};

template <class Tile> struct boxes_of_tile<with_ends<Tile>> : boxes_of_tile<Tile> {};

template <class Tile, class T> inline constexpr bool becomes_tf32 =
    std::is_same_v<typename Tile::element_type, tf32> &&
    std::is_same_v<std::remove_const_t<T>, float>;

// A view of floats as one of tf32, for copies that do not look at them.
template <class Tile, class T, int Rank> TESSERA_DEVICE auto as_copied(const view<T, Rank> &v) {
  if constexpr (becomes_tf32<Tile, T>) {
    view<const tf32, Rank> result;
    result.base = reinterpret_cast<const tf32 *>(v.base);
    TESSERA_UNROLL
    for (int d = 0; d < Rank; ++d) {
      result.extent[d] = v.extent[d];
      result.stride[d] = v.stride[d];
    }
    return result;
  } else {
    return v;
  }
}

// The view as bulk copies of boxes of Tile's shape are told of it.
template <class Tile, class T, int Rank>
TESSERA_BOTH boxed_array<Rank> boxed(const view<T, Rank> &v) {
  using boxes = boxes_of_tile<Tile>;
  static_assert(Rank == boxes::rank, "a box has the view's rank");
  boxed_array<Rank> array;
  array.base = v.base;
  for (int d = 0; d < Rank; ++d) {
    const int of_view = Rank - 1 - d;
    // Where there is nothing along a dimension, boxes are placed outside.
    array.extent[d] = static_cast<unsigned>(v.extent[of_view] > 0 ? v.extent[of_view] : 1);
    array.stride[d] = static_cast<unsigned long long>(v.stride[of_view]) * sizeof(T);
    array.box[d] = d == 0 ? boxes::width : Tile::shape::extent(of_view);
  }
  array.rounds_to_tf32 = becomes_tf32<Tile, T>;
  return array;
}

} // namespace detail

namespace detail {

// Where a box is told to start: outside as a whole where it starts before the view.
template <class Tile, class T, int Rank>
TESSERA_DEVICE box_place<Rank> place_of(const view<T, Rank> &v, const index<Rank> &start) {
  box_place<Rank> place;
  TESSERA_UNROLL
  for (int d = 0; d < Rank; ++d) {
    const bool is_inside =
        static_cast<unsigned long long>(start.at[d]) < static_cast<unsigned long long>(v.extent[d]);
    place.at[Rank - 1 - d] = is_inside ? static_cast<int>(start.at[d]) : -Tile::shape::extent(d);
  }
  return place;
}

// One thread starts the copies of a box, which arrive at the barrier.
template <int Warp, class Tile, class T, int Rank>
TESSERA_DEVICE void copy_boxes(Tile tile, const view<T, Rank> &v, const index<Rank> &start,
                               const tensor_map &map, phase_barrier stage) {
  using boxes = boxes_of_tile<Tile>;
  if (arch::thread_index() != 32 * Warp)
    return;
  box_place<Rank> place = place_of<Tile>(v, start);
  unsigned char *shared = shared_memory();
  const int first = arch::shared_offset(tile.pointer);
  arrive_for(stage, Tile::shape::size * static_cast<int>(sizeof(T)));
  TESSERA_UNROLL
  for (int p = 0; p < boxes::count; ++p) {
    arch::copy_box(shared, first + p * boxes::panel_bytes, map, place, stage.offset);
    place.at[0] += boxes::width;
  }
}

} // namespace detail

// For boxes of Tile's shape. `scratch`: 128 bytes of shared memory, aligned so. All threads.
template <int Warp, class Tile, class T, int Rank>
TESSERA_DEVICE box_map<Warp> make_box_map(const view<T, Rank> &v, int scratch) {
  if (!detail::allows_boxes(v) || arch::warp_index() != Warp)
    return {nullptr};
  return {arch::find_map<sizeof(T), detail::boxes_of_tile<Tile>::swizzle::bytes>(
      shared_memory(), scratch, detail::boxed<Tile>(v))};
}

// Map At of those that the launch made (host/box_maps.h). `maps` is a parameter of the kernel.
template <int Warp, int At, int Count>
TESSERA_DEVICE launched_map<Warp> given_map(const box_maps<Count> &maps) {
  static_assert(At < Count, "a map that the launch makes");
  return {{maps.made >> At & 1 ? &maps.map[At] : nullptr}};
}

template <int Warp, int At, int Count>
TESSERA_DEVICE sure_map<Warp> needed_map(const box_maps<Count> &maps) {
  static_assert(At < Count, "a map that the launch makes");
  return {{{&maps.map[At]}}};
}

namespace detail {

// A phase barrier for each stage, side by side, for so many arrivals.
template <int Stages> TESSERA_DEVICE void init_stages(int offset, int arrivals) {
  TESSERA_UNROLL
  for (int s = 0; s < Stages; ++s)
    init({offset + s * 8}, arrivals);
}

// One thread begins them; the others meet it afterwards.
template <int Stages, int Copies>
TESSERA_DEVICE arrivals<Stages> first_arrivals(int offset, bool is_bulk) {
  if (arch::thread_index() == 0) {
    init_stages<Stages>(offset, Copies);
    fence_barriers();
  }
  return {offset, is_bulk, 0};
}

// Waits for the next phase of a stage's barrier: the first that is waited for has parity `first`.
template <int Stages>
TESSERA_DEVICE void wait_next(arrivals<Stages> &ring, phase_barrier barrier, int slot, int first) {
  wait(barrier, static_cast<int>(ring.parities >> slot & 1) ^ first);
  ring.parities ^= 1u << slot;
}

} // namespace detail

// Begins the phase barriers of a ring, whose stages are filled by so many copies each, in shared
// memory at `offset`: 8 bytes for each stage and 4 for each map. All threads; they meet in it.
template <int Stages, int Copies, int... Warps>
TESSERA_DEVICE arrivals<Stages> begin_arrivals(int offset, box_map<Warps>... maps) {
  arrivals<Stages> result = detail::first_arrivals<Stages, Copies>(offset, true);
  int said = offset + Stages * 8, heard = said;
  auto say = [&](int warp, bool exists) {
    if (arch::thread_index() == 32 * warp)
      arch::store_shared<4>(shared_memory(), said, words<4>{{exists ? 1u : 0u}});
    said += 4;
  };
  (say(Warps, maps.map != nullptr), ...);
  barrier();
  TESSERA_UNROLL
  for (int i = 0; i < static_cast<int>(sizeof...(Warps)); ++i, heard += 4)
    result.is_bulk &= arch::load_shared<4>(shared_memory(), heard).w[0] != 0;
  return result;
}

// The same for maps of the launch, of which all threads know.
template <int Stages, int Copies, int... Warps>
TESSERA_DEVICE arrivals<Stages> begin_arrivals(int offset, launched_map<Warps>... maps) {
  const auto result =
      detail::first_arrivals<Stages, Copies>(offset, (true & ... & (maps.map != nullptr)));
  barrier();
  return result;
}

template <int Stages, int Copies, int... Warps>
TESSERA_DEVICE bulk_arrivals<Stages> begin_arrivals(int offset, sure_map<Warps>...) {
  const bulk_arrivals<Stages> result{detail::first_arrivals<Stages, Copies>(offset, true)};
  barrier();
  return result;
}

// The same where one warp, beside those that read, fills the ring; `Readers` warpgroups release
// each stage, or warps where threads read it: only a multiply is one of all warps of its group. 16
// bytes for each stage. Such a ring ends with the kernel.
//
//   if (warp_index() >= 8) {
//     fewer_registers<40>();
//     if (warp_index() != 8) return;
//     for ... { wait_free(ring, slot); copy_async(...); ... }
//     return;
//   }
//   more_registers<232>();
//   for ... { wait_group(ring, slot); mma_start(...); mma_wait<1>(); release(ring, before); }
template <int Stages, int Copies, int Readers, int ThreadsOfReader = 128, int... Warps>
TESSERA_DEVICE ring_arrivals<Stages, ThreadsOfReader> begin_ring(int offset, sure_map<Warps>...) {
  if (arch::thread_index() == 0) {
    detail::init_stages<Stages>(offset, Copies);
    detail::init_stages<Stages>(offset + Stages * 8, Readers);
    fence_barriers();
  }
  barrier();
  return {{{offset, true, 0}}};
}

// How many registers the threads of this warpgroup have from here on, all of which come to it: a
// multiple of 8. What one gives, another may take; the ways of the two must not meet again.
using arch::fewer_registers;
using arch::more_registers;

// Of the warp that fills: what was in stage `slot` has been read. A fresh ring is free.
template <int Stages, int Threads>
TESSERA_DEVICE void wait_free(ring_arrivals<Stages, Threads> &ring, int slot) {
  detail::wait_next(ring, ring.freed(slot), slot, /*first=*/1);
}

// Of a warpgroup, or a warp, that reads: it has, stage `slot`; below 0 none. Its multiplies have
// been waited for.
template <int Stages, int Threads>
TESSERA_DEVICE void release(const ring_arrivals<Stages, Threads> &ring, int slot) {
  if constexpr (Threads == 32)
    arch::warp_barrier();
  if (slot >= 0 && arch::thread_index() % Threads == 0)
    arrive(ring.freed(slot));
}

// Behind a barrier, when everything that was copied has been waited for.
template <int Stages> TESSERA_DEVICE void end_arrivals(const arrivals<Stages> &ring) {
  if (arch::thread_index() != 0)
    return;
  TESSERA_UNROLL
  for (int s = 0; s < Stages; ++s)
    arch::mbarrier_end(shared_memory(), ring.stage(s).offset);
}

// Into stage `slot` of a ring: complete behind wait_group for the stage.
template <int Warp, class Tile, class T, int Rank, int Stages>
TESSERA_DEVICE void copy_async(Tile tile, const view<T, Rank> &v, index<Rank> start,
                               const sure_map<Warp> &map, const bulk_arrivals<Stages> &ring,
                               int slot) {
  detail::copy_boxes<Warp>(tile, v, start, *map.map, ring.stage(slot));
}

// The same, or as copy_async of threads.
template <class A, int Threads, class Tile, class T, int Rank, int Warp, int Stages>
TESSERA_DEVICE void copy_async(Tile tile, const view<T, Rank> &v, index<Rank> start,
                               const box_map<Warp> &map, const arrivals<Stages> &ring, int slot) {
  if (ring.is_bulk)
    detail::copy_boxes<Warp>(tile, v, start, *map.map, ring.stage(slot));
  else
    copy_async<A, Threads>(tile, detail::as_copied<Tile>(v), start);
}

// The copies into stage `slot` are complete: the bulk ones of all threads, else those of this
// thread but for its N youngest groups, which the asynchronous proxy sees, too.
template <int Stages> TESSERA_DEVICE void wait_group(bulk_arrivals<Stages> &ring, int slot) {
  detail::wait_next(ring, ring.stage(slot), slot, /*first=*/0);
}
template <int N, int Stages> TESSERA_DEVICE void wait_group(arrivals<Stages> &ring, int slot) {
  if (ring.is_bulk) {
    detail::wait_next(ring, ring.stage(slot), slot, /*first=*/0);
  } else {
    wait_group<N>();
    fence_shared();
  }
}

// Behind wait_group: floats that threads copied become tf32. Multiplies of warpgroups see them
// behind the barrier.
template <int Threads, class Shape, class Swizzle, int Stages> TESSERA_DEVICE void
round_copied(shared_tile<tf32, Shape, Swizzle> tile, const arrivals<Stages> &ring) {
  if (ring.is_bulk)
    return;
  using C = detail::chunks<Shape, 4, Threads>;
  barrier(); // what others copied
  const int t = arch::thread_index();
  if (C::threads == Threads || t < C::threads) {
    const detail::cursor<shared_tile<tf32, Shape, Swizzle>, C::thread_reach> own(tile, t * 4);
#pragma unroll 1
    for (int i = 0; i < C::rounds; ++i) {
      const int place = own.at(C::element(i));
      float x[4];
      from_words<4>(x, arch::load_shared<16>(own.pointer, place));
      TESSERA_UNROLL
      for (float &element : x)
        element = arch::to_tf32<rounding::nearest>(element);
      arch::store_shared<16>(own.pointer, place, to_words<4>(x));
    }
  }
  fence_shared();
}

// The same of tiles that bulk copies may have filled: those are as they are to be. Multiplies of
// warpgroups see what is shifted.
template <int Threads, class Tile, class T, int Rank, int Stages>
TESSERA_DEVICE void shift_rows(with_ends<Tile> tile, const view<T, Rank> &v, index<Rank> start,
                               const arrivals<Stages> &ring) {
  if (!ring.is_bulk && detail::are_rows_shifted(v, start)) {
    detail::shift_chunks<Threads>(tile, v, start);
    fence_shared();
  }
}

} // namespace tessera
