// Rings that bulk copies fill where a view allows them, else cp.async. The choice is made at run
// time from the view's base, extents and strides, and is the same for all threads.
//
//   const auto a_map = make_tensor_map<0, tile>(a_view, scratch);   // and b_map, by warp 1
//                    = get_tensor_map<0, 0>(maps);                    // or one from the launch
//   auto barriers = init_barriers<3, 2>(offset, a_map, b_map);
//   copy_async<access, threads>(slot of the ring, a_view, start, a_map, barriers, slot); ...
//   commit_group();
//   for ... { consumer_wait<1>(barriers, slot); barrier(); ... }
//   invalidate_barriers(barriers);
//
// Bulk copies round floats to tf32 on the way where a tf32 tile is wanted; after cp.async, threads
// round them in place after wait_group:
//
//   consumer_wait<1>(barriers, slot); round_copied<threads>(slot of the ring, barriers); barrier();
//
// Each stage has an mbarrier, on which each of its copies arrives once; the parity of its phase
// tells whether the stage is complete. If one of the views does not allow bulk copies, all views
// use cp.async, in groups.
#pragma once

#include "bulk_copy.cuh"
#include "shifted_rows.cuh"

namespace tessera {

// The tensor map of a view, held by the first thread of warp Warp, which starts the copies. Only
// that warp knows whether there is a map; null in all other threads.
template <int Warp> struct tensor_map_ref {
  const tensor_map *map;
};

// A tensor map from the launch, or null; the same for all threads.
template <int Warp> struct launched_tensor_map : tensor_map_ref<Warp> {};

// A tensor map from the launch, never null: the launch does not run this kernel without it.
template <int Warp> struct present_tensor_map : launched_tensor_map<Warp> {};

// A tensor map that the kernel makes for its producer warp, which all threads of this warp know as
// soon as the barriers of its ring are there; null where the view allows no bulk copies, or where
// there are too many maps. It comes through shared memory at `offset` from the warp that found it.
template <int Warp> struct producer_tensor_map : tensor_map_ref<Warp> {
  int offset;
};

// The full barriers of a ring's stages.
template <int Stages> struct full_barriers {
  int offset;
  bool is_bulk;
  unsigned parities; // bit s: of the phase of stage s that the next wait is for

  TESSERA_DEVICE phase_barrier stage(int slot) const { return {offset + slot * 8}; }
};

// The full barriers of a ring that only bulk copies fill.
template <int Stages> struct bulk_full_barriers : full_barriers<Stages> {};

// The barriers of a ring that a producer warp fills. Each stage also has an empty barrier, whose
// phase completes when all consumers (warpgroups or warps) have released the stage; `parities` are
// those of the full barriers in a consumer, of the empty barriers in the producer.
template <int Stages, int ThreadsOfReader> struct pipeline_barriers : bulk_full_barriers<Stages> {
  TESSERA_DEVICE phase_barrier freed(int slot) const {
    return {this->offset + (Stages + slot) * 8};
  }
};

namespace detail {

// Does the view allow bulk copies of boxes? Only if it is contiguous along the last dimension and
// its base and all other strides are multiples of 16 bytes.
template <class T, int Rank> TESSERA_BOTH bool allows_boxes(const view<T, Rank> &v) {
  constexpr long long max_elements = 0x7fffffff, max_bytes = 1ll << 40;
  const auto address = reinterpret_cast<unsigned long long>(v.base);
  bool result = (address % 16 == 0) & (v.stride[Rank - 1] == 1);
  for (int d = 0; d < Rank; ++d) {
    result &= (v.extent[d] >= 0) & (v.extent[d] <= max_elements);
    if (d == Rank - 1)
      continue;
    const long long bytes = v.stride[d] * static_cast<long long>(sizeof(T));
    result &= (bytes > 0) & (bytes < max_bytes) & (bytes % 16 == 0);
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

// A view of floats as one of tf32, for copies that do not convert.
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

// The view as the array that a tensor map with boxes of Tile's shape describes.
template <class Tile, class T, int Rank>
TESSERA_BOTH boxed_array<Rank> boxed(const view<T, Rank> &v) {
  using boxes = boxes_of_tile<Tile>;
  static_assert(Rank == boxes::rank, "a box has the view's rank");
  boxed_array<Rank> array;
  array.base = v.base;
  for (int d = 0; d < Rank; ++d) {
    const int of_view = Rank - 1 - d;
    // An extent of 0 is not encodable: with extent 1, boxes lie outside.
    array.extent[d] = static_cast<unsigned>(v.extent[of_view] > 0 ? v.extent[of_view] : 1);
    array.stride[d] = static_cast<unsigned long long>(v.stride[of_view]) * sizeof(T);
    array.box[d] = d == 0 ? boxes::width : Tile::shape::extent(of_view);
  }
  array.rounds_to_tf32 = becomes_tf32<Tile, T>;
  return array;
}

} // namespace detail

namespace detail {

// The start coordinates of a box. A box that starts before the view lies outside it entirely.
template <class Tile, class T, int Rank> TESSERA_DEVICE box_coordinates<Rank>
coordinates_of(const view<T, Rank> &v, const index<Rank> &start) {
  box_coordinates<Rank> coordinates;
  TESSERA_UNROLL
  for (int d = 0; d < Rank; ++d) {
    const bool is_inside =
        static_cast<unsigned long long>(start.at[d]) < static_cast<unsigned long long>(v.extent[d]);
    coordinates.at[Rank - 1 - d] =
        is_inside ? static_cast<int>(start.at[d]) : -Tile::shape::extent(d);
  }
  return coordinates;
}

// One thread starts the copies of a box, which complete on the barrier.
template <int Warp, class Tile, class T, int Rank>
TESSERA_DEVICE void copy_boxes(Tile tile, const view<T, Rank> &v, const index<Rank> &start,
                               const tensor_map &map, phase_barrier stage) {
  using boxes = boxes_of_tile<Tile>;
  if (arch::thread_index() != 32 * Warp)
    return;
  box_coordinates<Rank> coordinates = coordinates_of<Tile>(v, start);
  unsigned char *shared = shared_memory();
  const int first = arch::shared_offset(tile.pointer);
  arrive_for(stage, Tile::shape::size * static_cast<int>(sizeof(T)));
  TESSERA_UNROLL
  for (int p = 0; p < boxes::count; ++p) {
    arch::copy_box(shared, first + p * boxes::panel_bytes, map, coordinates, stage.offset);
    coordinates.at[0] += boxes::width;
  }
}

// One warp copies a tile, and arrives on the barrier. This path rarely runs.
template <class Tile, class T, int Rank> TESSERA_DEVICE void
copy_by_warp(Tile tile, const view<T, Rank> &v, const index<Rank> &start, phase_barrier stage) {
  using C = chunks<typename Tile::shape, 1, 32>;
  using A = access_by<1, Rank - 1, alignment::proven, bounds::checked>;
  using element_type = std::remove_const_t<T>;
#pragma unroll 1
  for (int first = arch::lane_index(); first < C::shape::size; first += 32) {
    const located_box<C, A, T, Rank> box(v, start, first);
    const cursor<Tile, C::thread_reach> to(tile, first);
    element_type x[1];
    load_group_if<1>(x, static_cast<const element_type *>(box.address(0)), box.contains(0),
                     element_type{});
    arch::store_shared<sizeof(T)>(to.pointer, to.at(0), to_words<1>(x));
  }
  fence_shared();
  arch::warp_barrier();
  if (arch::lane_index() == 0)
    arrive(stage);
}

// The same of a row, of which that many elements are inside. A lane's are in flight together.
template <class Tile, class T>
TESSERA_DEVICE void copy_row_by_warp(Tile tile, const T *row, int inside, phase_barrier stage) {
  using element_type = std::remove_const_t<T>;
  constexpr int size = Tile::shape::size, rounds = size < 32 ? 1 : size / 32,
                batch = rounds < 4 ? rounds : 4;
#pragma unroll 1
  for (int first = arch::lane_index(); first < size; first += 32 * batch) {
    element_type x[batch];
    TESSERA_UNROLL
    for (int i = 0; i < batch; ++i)
      load_group_if<1>(x + i, row + first + 32 * i, first + 32 * i < inside, element_type{});
    TESSERA_UNROLL
    for (int i = 0; i < batch; ++i)
      arch::store_shared<sizeof(T)>(tile.pointer, Tile::offset(first + 32 * i), to_words<1>(x + i));
  }
  fence_shared();
  arch::warp_barrier();
  if (arch::lane_index() == 0)
    arrive(stage);
}

} // namespace detail

// A tensor map for boxes of Tile's shape. `scratch`: 128 bytes of shared memory, aligned to 128.
// All threads call it.
template <int Warp, class Tile, class T, int Rank>
TESSERA_DEVICE tensor_map_ref<Warp> make_tensor_map(const view<T, Rank> &v, int scratch) {
  if (!detail::allows_boxes(v) || arch::warp_index() != Warp)
    return {nullptr};
  return {arch::find_tensor_map<sizeof(T), detail::boxes_of_tile<Tile>::swizzle::bytes>(
      shared_memory(), scratch, detail::boxed<Tile>(v))};
}

// The same for the producer warp Warp, found by warp Finder: those of several views are looked for
// side by side if their finders differ and no barrier is between. The scratch memory stays in use.
template <int Warp, int Finder, class Tile, class T, int Rank>
TESSERA_DEVICE producer_tensor_map<Warp> make_producer_tensor_map(const view<T, Rank> &v,
                                                                  int scratch) {
  const tensor_map *found = make_tensor_map<Finder, Tile>(v, scratch).map;
  if (arch::thread_index() == 32 * Finder)
    arch::store_shared<8>(shared_memory(), scratch, to_words<1>(&found));
  return {{nullptr}, scratch};
}

// Tensor map At of those from the launch (host/tensor_maps.h). `maps` is a parameter of the kernel.
template <int Warp, int At, int Count>
TESSERA_DEVICE launched_tensor_map<Warp> get_tensor_map(const tensor_maps<Count> &maps) {
  static_assert(At < Count, "a map that the launch makes");
  return {{maps.made >> At & 1 ? &maps.map[At] : nullptr}};
}

template <int Warp, int At, int Count>
TESSERA_DEVICE present_tensor_map<Warp> get_required_tensor_map(const tensor_maps<Count> &maps) {
  static_assert(At < Count, "a map that the launch makes");
  return {{{&maps.map[At]}}};
}

namespace detail {

// Consecutive mbarriers, one for each stage, each with that many arrivals.
template <int Stages> TESSERA_DEVICE void init_stages(int offset, int barriers) {
  TESSERA_UNROLL
  for (int s = 0; s < Stages; ++s)
    init({offset + s * 8}, barriers);
}

// One thread initializes them; the caller then needs a barrier.
template <int Stages, int Copies>
TESSERA_DEVICE full_barriers<Stages> first_barriers(int offset, bool is_bulk) {
  if (arch::thread_index() == 0) {
    init_stages<Stages>(offset, Copies);
    fence_barriers();
  }
  return {offset, is_bulk, 0};
}

// Behind a barrier; the other kinds of tensor maps are known at once.
template <int Warp> TESSERA_DEVICE void receive(producer_tensor_map<Warp> &map) {
  if (arch::warp_index() == Warp)
    from_words<1>(&map.map, arch::load_shared<8>(shared_memory(), map.offset));
}
template <int Warp> TESSERA_DEVICE void receive(const present_tensor_map<Warp> &) {}

// Waits for the next phase of a stage's barrier; the first wait uses parity `first`.
template <int Stages> TESSERA_DEVICE void wait_next(full_barriers<Stages> &ring,
                                                    phase_barrier barrier, int slot, int first) {
  wait(barrier, static_cast<int>(ring.parities >> slot & 1) ^ first);
  ring.parities ^= 1u << slot;
}

} // namespace detail

// Initializes the full barriers of a ring, each stage of which `Copies` copies fill, in shared
// memory at `offset`: 8 bytes for each stage and 4 for each tensor map. All threads call it; it
// contains a barrier.
template <int Stages, int Copies, int... Warps>
TESSERA_DEVICE full_barriers<Stages> init_barriers(int offset, tensor_map_ref<Warps>... maps) {
  full_barriers<Stages> result = detail::first_barriers<Stages, Copies>(offset, true);
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

// The same for tensor maps from the launch, which all threads know.
template <int Stages, int Copies, int... Warps>
TESSERA_DEVICE full_barriers<Stages> init_barriers(int offset, launched_tensor_map<Warps>... maps) {
  const auto result =
      detail::first_barriers<Stages, Copies>(offset, (true & ... & (maps.map != nullptr)));
  barrier();
  return result;
}

template <int Stages, int Copies, int... Warps>
TESSERA_DEVICE bulk_full_barriers<Stages> init_barriers(int offset, present_tensor_map<Warps>...) {
  const bulk_full_barriers<Stages> result{detail::first_barriers<Stages, Copies>(offset, true)};
  barrier();
  return result;
}

// The same for warp specialization: a producer warp, next to the consumers, fills the ring;
// `Readers` warpgroups release each stage, or warps where threads read it (only wgmma involves all
// warps of a warpgroup). 16 bytes for each stage. The barriers stay valid until the kernel ends.
//
//   if (warp_index() >= 8) {
//     setmaxnreg_dec<40>();
//     if (warp_index() != 8) return;
//     for ... { producer_acquire(ring, slot); copy_async(...); ... }
//     return;
//   }
//   setmaxnreg_inc<232>();
//   for ... {
//     consumer_wait(ring, slot); mma_start(...); mma_wait<1>(); consumer_release(ring, before);
//   }
template <int Stages, int Copies, int Readers, int ThreadsOfReader = 128, class... Maps>
TESSERA_DEVICE pipeline_barriers<Stages, ThreadsOfReader> init_pipeline_barriers(int offset,
                                                                                 Maps &...maps) {
  if (arch::thread_index() == 0) {
    detail::init_stages<Stages>(offset, Copies);
    detail::init_stages<Stages>(offset + Stages * 8, Readers);
    fence_barriers();
  }
  barrier();
  (detail::receive(maps), ...);
  return {{{offset, true, 0}}};
}

// Sets the number of registers of each thread of this warpgroup, a multiple of 8; all its threads
// call it. Registers that one warpgroup frees, another may take; the control flow of the two must
// not join again.
using arch::setmaxnreg_dec;
using arch::setmaxnreg_inc;

// Producer: waits until the consumers have released stage `slot`. A fresh ring is free.
template <int Stages, int Threads>
TESSERA_DEVICE void producer_acquire(pipeline_barriers<Stages, Threads> &ring, int slot) {
  detail::wait_next(ring, ring.freed(slot), slot, /*first=*/1);
}

// Consumer (a warpgroup or a warp): releases stage `slot`, none if below 0. Its multiplies that
// read the stage have completed.
template <int Stages, int Threads>
TESSERA_DEVICE void consumer_release(const pipeline_barriers<Stages, Threads> &ring, int slot) {
  if constexpr (Threads == 32)
    arch::warp_barrier();
  if (slot >= 0 && arch::thread_index() % Threads == 0)
    arrive(ring.freed(slot));
}

// After a barrier, when all copies have been waited for.
template <int Stages> TESSERA_DEVICE void invalidate_barriers(const full_barriers<Stages> &ring) {
  if (arch::thread_index() != 0)
    return;
  TESSERA_UNROLL
  for (int s = 0; s < Stages; ++s)
    arch::mbarrier_end(shared_memory(), ring.stage(s).offset);
}

// Into stage `slot` of a ring; complete after consumer_wait for the stage.
template <int Warp, class Tile, class T, int Rank, int Stages>
TESSERA_DEVICE void copy_async(Tile tile, const view<T, Rank> &v, index<Rank> start,
                               const present_tensor_map<Warp> &map,
                               const bulk_full_barriers<Stages> &ring, int slot) {
  detail::copy_boxes<Warp>(tile, v, start, *map.map, ring.stage(slot));
}

// The same by a whole producer warp, which copies element by element what has no tensor map.
template <int Warp, class Tile, class T, int Rank, int Stages>
TESSERA_DEVICE void copy_async(Tile tile, const view<T, Rank> &v, index<Rank> start,
                               const producer_tensor_map<Warp> &map,
                               const bulk_full_barriers<Stages> &ring, int slot) {
  if (map.map)
    detail::copy_boxes<Warp>(tile, v, start, *map.map, ring.stage(slot));
  else
    detail::copy_by_warp(tile, v, start, ring.stage(slot));
}

// The same of a row, by a whole producer warp and without a tensor map, wherever the row begins.
// What a bulk copy does not take goes element by element: rows that begin between multiples of 16
// bytes, and those that reach over the end of the view, with zeros there.
template <class A, class Tile, class T, int Rank, int Stages>
TESSERA_DEVICE void copy_async(Tile tile, const view<T, Rank> &v, index<Rank> start,
                               const bulk_full_barriers<Stages> &ring, int slot) {
  constexpr int size = Tile::shape::size, bytes = size * static_cast<int>(sizeof(T));
  static_assert(size == Tile::shape::extent(Rank - 1) && bytes % 16 == 0, "a row of whole chunks");
  constexpr bool is_aligned = !A::is_guarded && A::vector * sizeof(T) % 16 == 0;
  const detail::located_box<detail::chunks<typename Tile::shape, size, 1>, A, T, Rank> box(v, start,
                                                                                           0);
  int inside = size;
  if constexpr (A::is_checked) {
    constexpr bool is_cut = A::bounds_along(Rank - 1) == bounds::checked;
    const int count = is_cut ? box.count_inside(0) : box.contains_line(0) ? size : 0;
    inside = count < size ? count : size;
  }
  bool is_bulk = inside == size;
  if constexpr (!is_aligned)
    is_bulk &= reinterpret_cast<unsigned long long>(box.origin) % 16 == 0;
  if (!is_bulk)
    detail::copy_row_by_warp(tile, box.origin, inside, ring.stage(slot));
  else if (arch::lane_index() == 0) {
    arrive_for(ring.stage(slot), bytes);
    arch::copy_bytes(shared_memory(), arch::shared_offset(tile.pointer), box.origin, bytes,
                     ring.stage(slot).offset);
  }
}

// The same, or else as copy_async of threads (cp.async).
template <class A, int Threads, class Tile, class T, int Rank, int Warp, int Stages>
TESSERA_DEVICE void copy_async(Tile tile, const view<T, Rank> &v, index<Rank> start,
                               const tensor_map_ref<Warp> &map, const full_barriers<Stages> &ring,
                               int slot) {
  if (ring.is_bulk)
    detail::copy_boxes<Warp>(tile, v, start, *map.map, ring.stage(slot));
  else
    copy_async<A, Threads>(tile, detail::as_copied<Tile>(v), start);
}

// The copies into stage `slot` are complete: with bulk copies, those of all threads; else those of
// this thread except its N youngest groups, which are also visible to the asynchronous proxy.
template <int Stages>
TESSERA_DEVICE void consumer_wait(bulk_full_barriers<Stages> &ring, int slot) {
  detail::wait_next(ring, ring.stage(slot), slot, /*first=*/0);
}
template <int N, int Stages>
TESSERA_DEVICE void consumer_wait(full_barriers<Stages> &ring, int slot) {
  if (ring.is_bulk) {
    detail::wait_next(ring, ring.stage(slot), slot, /*first=*/0);
  } else {
    wait_group<N>();
    fence_shared();
  }
}

// After wait_group: rounds floats that threads copied to tf32. wgmma sees them after the barrier.
template <int Threads, class Shape, class Swizzle, int Stages> TESSERA_DEVICE void
round_copied(shared_tile<tf32, Shape, Swizzle> tile, const full_barriers<Stages> &ring) {
  if (ring.is_bulk)
    return;
  using C = detail::chunks<Shape, 4, Threads>;
  barrier(); // what other threads copied
  const int t = arch::thread_index();
  if (C::threads == Threads || t < C::threads) {
    const detail::cursor<shared_tile<tf32, Shape, Swizzle>, C::thread_reach> own(tile, t * 4);
#pragma unroll 1
    for (int i = 0; i < C::rounds; ++i) {
      const int offset = own.at(C::element(i));
      float x[4];
      from_words<4>(x, arch::load_shared<16>(own.pointer, offset));
      TESSERA_UNROLL
      for (float &element : x)
        element = arch::to_tf32<rounding::nearest>(element);
      arch::store_shared<16>(own.pointer, offset, to_words<4>(x));
    }
  }
  fence_shared();
}

// The same for tiles that bulk copies may have filled, which need no shift. wgmma sees the shifted
// rows after the barrier.
template <int Threads, class Tile, class T, int Rank, int Stages>
TESSERA_DEVICE void shift_rows(with_ends<Tile> tile, const view<T, Rank> &v, index<Rank> start,
                               const full_barriers<Stages> &ring) {
  if (!ring.is_bulk && detail::are_rows_shifted(v, start)) {
    detail::shift_chunks<Threads>(tile, v, start);
    fence_shared();
  }
}

} // namespace tessera
