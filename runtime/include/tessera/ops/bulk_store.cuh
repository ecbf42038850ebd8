// Tiles in shared memory that are stored to views by bulk copies, where a view allows them.
//
//   const auto c_map = get_tensor_map<0, 2>(maps);
//   store_shared(tile, x);
//   fence_shared();
//   barrier();
//   if (has_tensor_map(c_map))
//     store_bulk(tile, c_view, start, c_map);
//   else
//     store<access>(c_view, start, load_shared<layout>(tile));
//   wait_stores<0>(); barrier(); ...   // the tile may be overwritten
//
// Or part by part, by warpgroups, through two alternating panels; without a tensor map, threads
// store the panel's contents:
//
//   store_parts<part, mask>(shared_slot<panel>(offset, 0), x, c_view, start, c_map);
#pragma once

#include "bulk_ring.cuh"

namespace tessera {

// Does a store wait until earlier stores of the block have been written to memory?
enum class stores { unordered, in_order };

template <int Warp> TESSERA_DEVICE bool has_tensor_map(const launched_tensor_map<Warp> &map) {
  return map.map != nullptr;
}

namespace detail {

// Starts the store of a panel to the box at `coordinates`, if any of it is inside. Hopper raises an
// illegal-instruction error for a store to an address before the array.
template <class T, int Rank, int BoxRank>
TESSERA_DEVICE void store_panel(int panel, const view<T, Rank> &v,
                                const box_coordinates<BoxRank> &coordinates,
                                const tensor_map &map) {
  static_assert(Rank == BoxRank, "a box has the view's rank");
  bool is_inside = true;
  TESSERA_UNROLL
  for (int d = 0; d < Rank; ++d)
    is_inside &= (coordinates.at[d] >= 0) & (coordinates.at[d] < v.extent[Rank - 1 - d]);
  if (is_inside)
    arch::store_box(shared_memory(), panel, map, coordinates);
}

} // namespace detail

// Starts the store of a tile, in panels, to the box of the view at `start`; elements outside are
// not written. All threads call it, after all have fenced and met; one of them starts the copies.
template <stores Order = stores::unordered, class Tile, class T, int Rank, int Warp>
TESSERA_DEVICE void store_bulk(Tile tile, const view<T, Rank> &v, index<Rank> start,
                               const launched_tensor_map<Warp> &map) {
  using boxes = detail::boxes_of_tile<Tile>;
  if (arch::thread_index() != 32 * Warp)
    return;
  box_coordinates<Rank> coordinates = detail::coordinates_of<Tile>(v, start);
  const int first = arch::shared_offset(tile.pointer);
  if constexpr (Order == stores::in_order)
    arch::store_wait_written<0>();
  TESSERA_UNROLL
  for (int p = 0; p < boxes::count; ++p) {
    detail::store_panel(first + p * boxes::panel_bytes, v, coordinates, *map.map);
    coordinates.at[0] += boxes::width;
  }
  arch::store_commit();
}

namespace detail {

// The next value of the bits in `mask`, in increasing order; 0 after the last.
TESSERA_CONSTEXPR int next_value(int value, int mask) { return (value - mask) & mask; }

// What a warpgroup holds of a part in layout L: its own rows, or its own columns where warpgroups
// hold the accumulator transposed.
template <class L> struct part_of_warpgroup {
  using shape = typename L::shape;
  static constexpr int warpgroups = L::warp_count / 4;
  static constexpr bool is_of_columns = warpgroups > 1 && L::warp_map::basis(2) < shape::extent(1);
  static constexpr int rows = shape::extent(0) / (is_of_columns ? 1 : warpgroups),
                       columns = shape::extent(1) / (is_of_columns ? warpgroups : 1);

  // The first row of warpgroup `own` in a tile with the shape of Whole.
  template <class Whole> TESSERA_DEVICE static int row(int own) {
    return is_of_columns ? 0 : own * (Whole::extent(0) / warpgroups);
  }
  template <class Whole> TESSERA_DEVICE static int column(int own) {
    return is_of_columns ? own * (Whole::extent(1) / warpgroups) : 0;
  }
};

// Stores a warpgroup's share of a panel, from `row` and `column`, to the view at `start`, element
// by element: this path is emitted next to every part and rarely runs.
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
    long long distance = 0;
    TESSERA_UNROLL
    for (int d = 0; d < Rank; ++d) {
      is_inside &= at.at[d] < v.extent[d];
      distance += at.at[d] * v.stride[d];
    }
    const int element = (row + i) * Tile::shape::extent(Rank - 1) + column + j;
    if (is_inside)
      arch::store_global<sizeof(T)>(
          v.base + distance, arch::load_shared<sizeof(T)>(panel.pointer, Tile::offset(element)));
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
  const int number_of_warpgroup = arch::thread_index() / warpgroup;
  // A warpgroup that is a tile block of its own has all rows of it.
  const int own = own_part::warpgroups > 1 ? number_of_warpgroup : 0;
  const bool speaks = arch::thread_index() % warpgroup == 0;
  if (speaks)
    wait_stores<1>();
  barrier_of_warps(2 + number_of_warpgroup, warpgroup);
  using in_rows = shared_tile<X, typename L::shape, typename Tile::swizzle>;
  store_shared(in_rows{panel.pointer}, part<L, Mask, Value>(x));
  fence_shared();
  barrier_of_warps(2 + number_of_warpgroup, warpgroup);
  // A box that starts below 0 is outside entirely.
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
      box_coordinates<Rank> coordinates = coordinates_of<Tile>(v, here);
      const int box = arch::shared_offset(panel.pointer) +
                      column / boxes::width * boxes::panel_bytes + row * boxes::swizzle::bytes;
      TESSERA_UNROLL
      for (int p = 0; p < own_part::columns / boxes::width; ++p) {
        store_panel(box + p * boxes::panel_bytes, v, coordinates, *map);
        coordinates.at[0] += boxes::width;
      }
    }
  } else if (!map && !is_outside) {
    store_own<own_part>(panel, row, column, v, here);
  }
  // One group for each part, because waits count groups: other stores to the panels may use a
  // tensor map.
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

// Stores x, whose rows are the view's, to the view at `start`: one part for each value of the index
// bits Mask, each in layout L, alternately through the panel `first` and the next one. Elements
// outside are not written. A warpgroup has rows, or columns, of a panel to itself and waits for no
// other warpgroup. All threads except the producer call it. The tensor map's boxes have the shape
// of a warpgroup's share.
template <class L, int Mask, class Tile, class X, class From, class T, int Rank, int Warp>
TESSERA_DEVICE void store_parts(Tile first, const fragment<X, From> &x, const view<T, Rank> &v,
                                index<Rank> start, const launched_tensor_map<Warp> &map) {
  static_assert(Mask != 0, "parts, an even number, change from one panel to the other");
  detail::store_parts_from<L, Mask, 0, 0>(first, x, v, start, map.map);
}

} // namespace tessera
