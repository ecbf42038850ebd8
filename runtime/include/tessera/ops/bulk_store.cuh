// Tiles in shared memory that go to views by bulk copies, where a view allows them.
//
//   const auto c_map = given_map<0, 2>(maps);
//   store_shared(tile, x);
//   fence_shared();
//   barrier();
//   if (has_map(c_map))
//     store_bulk(tile, c_view, start, c_map);
//   else
//     store<access>(c_view, start, load_shared<layout>(tile));
//   wait_stores<0>(); barrier(); ...   // the tile may be written again
#pragma once

#include "bulk_ring.cuh"

namespace tessera {

// Whether a store waits until what earlier ones of the block wrote is in memory.
enum class stores { unordered, in_order };

template <int Warp> TESSERA_DEVICE bool has_map(const launched_map<Warp> &map) {
  return map.map != nullptr;
}

// Starts writing a tile in panels to the box of the view that starts at `start`; what is outside is
// not written. All threads; one of them starts the copies, of what all have fenced before they met.
template <stores Order = stores::unordered, class Tile, class T, int Rank, int Warp>
TESSERA_DEVICE void store_bulk(Tile tile, const view<T, Rank> &v, index<Rank> start,
                               const launched_map<Warp> &map) {
  using boxes = detail::boxes_of_tile<Tile>;
  if (arch::thread_index() != 32 * Warp)
    return;
  box_place<Rank> place = detail::place_of<Tile>(v, start);
  unsigned char *shared = shared_memory();
  const int first = static_cast<int>(reinterpret_cast<unsigned char *>(tile.pointer) - shared);
  if constexpr (Order == stores::in_order)
    arch::store_wait_written<0>();
  TESSERA_UNROLL
  for (int p = 0; p < boxes::count; ++p) {
    arch::store_box(shared, first + p * boxes::panel_bytes, *map.map, place);
    place.at[0] += boxes::width;
  }
  arch::store_commit();
}

} // namespace tessera
