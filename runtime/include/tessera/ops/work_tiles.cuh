// Persistent kernels: their blocks, one for each multiprocessor, process one work tile of a grid
// after the other. Work tiles are numbered with x fastest; each stands for Columns x Rows blocks of
// the grid.
//
//   for (int work_tile = block_index<0>(); work_tile < work_tile_count<2, 1>(grid);
//        work_tile += grid_size<0>())
//     ... swizzled_block_at<0, 2, 1>(grid, work_tile) ...
//
// The launch ensures that the number of work tiles fits an int.
#pragma once

#include "../coarsened_grid.h"
#include "block_swizzle.cuh"

namespace tessera {

namespace detail {

template <int Columns> TESSERA_DEVICE unsigned groups_of(unsigned blocks) {
  return (blocks + (Columns - 1)) / Columns;
}

} // namespace detail

template <int Columns, int Rows> TESSERA_DEVICE int work_tile_count(const coarsened_grid &grid) {
  return static_cast<int>(detail::groups_of<Columns>(grid.blocks.x) *
                          detail::groups_of<Rows>(grid.blocks.y) * grid.blocks.z);
}

// The tile coordinate of a work tile along an axis (0, 1, 2 = x, y, z).
template <int Axis, int Columns, int Rows>
TESSERA_DEVICE int block_at(const coarsened_grid &grid, int work_tile) {
  const unsigned columns = detail::groups_of<Columns>(grid.blocks.x),
                 line = static_cast<unsigned>(work_tile) / columns;
  if (Axis == 0)
    return static_cast<int>(static_cast<unsigned>(work_tile) % columns);
  const unsigned rows = detail::groups_of<Rows>(grid.blocks.y);
  return static_cast<int>(Axis == 1 ? line % rows : line / rows);
}

// The same under the threadblock swizzle (groups of rows, block_swizzle.cuh).
template <int Axis, int Columns, int Rows>
TESSERA_DEVICE int swizzled_block_at(const coarsened_grid &grid, int work_tile) {
  constexpr unsigned height = 8, most = ~0u / height; // columns that 32-bit tile numbers allow
  const unsigned columns = detail::groups_of<Columns>(grid.blocks.x),
                 rows = detail::groups_of<Rows>(grid.blocks.y);
  if (Axis == 2 || columns > most)
    return block_at<Axis, Columns, Rows>(grid, work_tile);
  unsigned in_layer = static_cast<unsigned>(work_tile);
  if (grid.blocks.z > 1)
    in_layer %= columns * rows;
  const unsigned above = in_layer / (columns * height) * height;
  return detail::index_in_group<Axis, height>(above, in_layer - above * columns, rows - above);
}

} // namespace tessera
