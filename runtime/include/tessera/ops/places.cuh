// Kernels whose blocks, one for each multiprocessor, do the work of one place after the other of a
// grid: place p, x fastest. Each of them stands for Columns x Rows of the grid's blocks.
//
//   for (int place = block_index<0>(); place < place_count<2, 1>(grid); place += grid_size<0>())
//     ... block_in_bands_at<0, 2, 1>(grid, place) ...
//
// A launch sees to it that places are counted by an int.
#pragma once

#include "../merged_grid.h"
#include "bands.cuh"

namespace tessera {

namespace detail {

template <int Columns> TESSERA_DEVICE unsigned groups_of(unsigned blocks) {
  return (blocks + (Columns - 1)) / Columns;
}

} // namespace detail

template <int Columns, int Rows> TESSERA_DEVICE int place_count(const merged_grid &grid) {
  return static_cast<int>(detail::groups_of<Columns>(grid.blocks.x) *
                          detail::groups_of<Rows>(grid.blocks.y) * grid.blocks.z);
}

// The index along an axis (0, 1, 2 = x, y, z) of what a place stands for.
template <int Axis, int Columns, int Rows>
TESSERA_DEVICE int block_at(const merged_grid &grid, int place) {
  const unsigned columns = detail::groups_of<Columns>(grid.blocks.x),
                 line = static_cast<unsigned>(place) / columns;
  if (Axis == 0)
    return static_cast<int>(static_cast<unsigned>(place) % columns);
  const unsigned rows = detail::groups_of<Rows>(grid.blocks.y);
  return static_cast<int>(Axis == 1 ? line % rows : line / rows);
}

// The same where places take the grid in bands of rows, column after column (bands.cuh).
template <int Axis, int Columns, int Rows>
TESSERA_DEVICE int block_in_bands_at(const merged_grid &grid, int place) {
  constexpr unsigned height = 8, most = ~0u / height; // columns whose places 32 bits count
  const unsigned columns = detail::groups_of<Columns>(grid.blocks.x),
                 rows = detail::groups_of<Rows>(grid.blocks.y);
  if (Axis == 2 || columns > most)
    return block_at<Axis, Columns, Rows>(grid, place);
  unsigned in_layer = static_cast<unsigned>(place);
  if (grid.blocks.z > 1)
    in_layer %= columns * rows;
  const unsigned above = in_layer / (columns * height) * height;
  return detail::index_in_band<Axis, height>(above, in_layer - above * columns, rows - above);
}

} // namespace tessera
