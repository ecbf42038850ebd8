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
//
// Or part by part, by warpgroups, out of two panels that change places; without a map threads store
// what lies there:
//
//   store_parts<part, mask>(shared_slot<panel>(offset, 0), x, c_view, start, c_map);
#pragma once

#include "bulk_ring.cuh"

namespace tessera {

// Whether a store waits until what earlier ones of the block wrote is in memory.
enum class stores { unordered, in_order };

template <int Warp> TESSERA_DEVICE bool has_map(const launched_map<Warp> &map) {
  return map.map != nullptr;
}

namespace detail {

// Starts writing a panel to the box at `place`, if any of it is inside. Hopper takes a store to a
// place before the array for an illegal instruction.
template <class T, int Rank, int BoxRank>
TESSERA_DEVICE void store_panel(int panel, const view<T, Rank> &v, const box_place<BoxRank> &place,
                                const tensor_map &map) {
  static_assert(Rank == BoxRank, "a box has the view's rank");
  bool is_inside = true;
  TESSERA_UNROLL
  for (int d = 0; d < Rank; ++d)
    is_inside &= (place.at[d] >= 0) & (place.at[d] < v.extent[Rank - 1 - d]);
  if (is_inside)
    arch::store_box(shared_memory(), panel, map, place);
}

} // namespace detail

// Starts writing a tile in panels to the box of the view that starts at `start`; what is outside is
// not written. All threads; one of them starts the copies, of what all have fenced before they met.
template <stores Order = stores::unordered, class Tile, class T, int Rank, int Warp>
TESSERA_DEVICE void store_bulk(Tile tile, const view<T, Rank> &v, index<Rank> start,
                               const launched_map<Warp> &map) {
  using boxes = detail::boxes_of_tile<Tile>;
  if (arch::thread_index() != 32 * Warp)
    return;
  box_place<Rank> place = detail::place_of<Tile>(v, start);
  const int first = arch::shared_offset(tile.pointer);
  if constexpr (Order == stores::in_order)
    arch::store_wait_written<0>();
  TESSERA_UNROLL
  for (int p = 0; p < boxes::count; ++p) {
    detail::store_panel(first + p * boxes::panel_bytes, v, place, *map.map);
    place.at[0] += boxes::width;
  }
  arch::store_commit();
}

namespace detail {

// The next value of index bits, in their order; 0 behind the last.
TESSERA_CONSTEXPR int next_value(int value, int mask) { return (value - mask) & mask; }

// What a warpgroup has of a part in layout L: its own rows, or its own columns where warpgroups
// hold the sum transposed.
template <class L> struct part_of_warpgroup {
  using shape = typename L::shape;
  static constexpr int warpgroups = L::warp_count / 4;
  static constexpr bool is_of_columns = warpgroups > 1 && L::warp_map::basis(2) < shape::extent(1);
  static constexpr int rows = shape::extent(0) / (is_of_columns ? 1 : warpgroups),
                       columns = shape::extent(1) / (is_of_columns ? warpgroups : 1);

  // Where those of warpgroup `own` are, in a tile with the shape of Whole.
  template <class Whole> TESSERA_DEVICE static int row(int own) {
    return is_of_columns ? 0 : own * (Whole::extent(0) / warpgroups);
  }
  template <class Whole> TESSERA_DEVICE static int column(int own) {
    return is_of_columns ? own * (Whole::extent(1) / warpgroups) : 0;
  }
};

// Stores what a warpgroup has of a panel, from `row` and `column` on, to the view at `start`,
// element by element: the code of this path stands beside every part and rarely runs.
template <class Own, class Tile, class T, int Rank> TESSERA_DEVICE void
store_own(Tile panel, int row, int column, const view<T, Rank> &v, index<Rank> start) {
  const int thread = arch::thread_index() % 128;
#pragma unroll 1
  for (int e = thread; e < Own::rows * Own::columns; e += 128) {
    const int i = e / Own::columns, j = e % Own::columns;
    index<Rank> at = start;
    at.at[Rank - 2] += i;
    at.at[Rank - 1] += j;
    bool is_inside = true;
    long long place = 0;
    TESSERA_UNROLL
    for (int d = 0; d < Rank; ++d) {
      is_inside &= at.at[d] < v.extent[d];
      place += at.at[d] * v.stride[d];
    }
    const int element = (row + i) * Tile::shape::extent(Rank - 1) + column + j;
    if (is_inside)
      arch::store_global<sizeof(T)>(
          v.base + place, arch::load_shared<sizeof(T)>(panel.pointer, Tile::offset(element)));
  }
}

template <class L, int Mask, int Value, class Tile, class T, int Rank, class X, class From>
TESSERA_DEVICE void store_part(Tile first, const fragment<X, From> &x, const view<T, Rank> &v,
                               const index<Rank> &start, const tensor_map *map, int number) {
  using whole = typename From::shape;
  using boxes = boxes_of_tile<Tile>;
  using own_part = part_of_warpgroup<L>;
  constexpr int warpgroup = 128;
  const Tile panel = shared_slot<Tile>(arch::shared_offset(first.pointer), number % 2);
  const int own = arch::thread_index() / warpgroup;
  const bool speaks = arch::thread_index() % warpgroup == 0;
  if (speaks)
    wait_stores<1>();
  barrier_of_warps(2 + own, warpgroup);
  using in_rows = shared_tile<X, typename L::shape, typename Tile::swizzle>;
  store_shared(in_rows{panel.pointer}, part<L, Mask, Value>(x));
  fence_shared();
  barrier_of_warps(2 + own, warpgroup);
  // A start below 0 is outside altogether.
  bool is_outside = false;
  TESSERA_UNROLL
  for (int d = 0; d < Rank; ++d)
    is_outside |= start.at[d] < 0;
  index<Rank> here = start;
  here.at[Rank - 2] += Value / whole::extent(1) + own_part::template row<whole>(own);
  here.at[Rank - 1] += Value % whole::extent(1) + own_part::template column<whole>(own);
  const int row = own_part::template row<typename L::shape>(own),
            column = own_part::template column<typename L::shape>(own);
  if (map && speaks) {
    if (!is_outside) {
      box_place<Rank> place = place_of<Tile>(v, here);
      const int box = arch::shared_offset(panel.pointer) +
                      column / boxes::width * boxes::panel_bytes + row * boxes::swizzle::bytes;
      TESSERA_UNROLL
      for (int p = 0; p < own_part::columns / boxes::width; ++p) {
        store_panel(box + p * boxes::panel_bytes, v, place, *map);
        place.at[0] += boxes::width;
      }
    }
  } else if (!map && !is_outside) {
    store_own<own_part>(panel, row, column, v, here);
  }
  // A group for each part, that waits count: the panels may be those of stores with a map, too.
  if (speaks)
    arch::store_commit();
}

template <class L, int Mask, int Value, int Number, class Tile, class T, int Rank, class X,
          class From>
TESSERA_DEVICE void store_parts_from(Tile first, const fragment<X, From> &x, const view<T, Rank> &v,
                                     const index<Rank> &start, const tensor_map *map) {
  store_part<L, Mask, Value>(first, x, v, start, map, Number);
  if constexpr (next_value(Value, Mask) != 0)
    store_parts_from<L, Mask, next_value(Value, Mask), Number + 1>(first, x, v, start, map);
}

} // namespace detail

// Writes x, whose rows are the view's, to the view from `start` on: the parts whose index bits Mask
// have one value, each in layout L, through the panels `first` and the one behind it. What is
// outside is not written. A warpgroup has rows of a panel, or columns, to itself; nobody waits for
// another one. All threads but those that fill a ring. The map is for boxes of what a warpgroup
// has.
template <class L, int Mask, class Tile, class X, class From, class T, int Rank, int Warp>
TESSERA_DEVICE void store_parts(Tile first, const fragment<X, From> &x, const view<T, Rank> &v,
                                index<Rank> start, const launched_map<Warp> &map) {
  static_assert(Mask != 0, "parts, an even number, change from one panel to the other");
  detail::store_parts_from<L, Mask, 0, 0>(first, x, v, start, map.map);
}

} // namespace tessera
