// Threadblock swizzle: the order in which blocks take the tiles of a grid.
#pragma once

#include "../arch/arch.cuh"

namespace tessera {

namespace detail {

// The index along an axis (0 or 1) of a work tile in the group of rows that starts at row `above`
// and has `left` rows below it. Within a group, tiles go column by column.
template <int Axis, unsigned Rows>
TESSERA_DEVICE int index_in_group(unsigned above, unsigned work_tile, unsigned left) {
  // Except in the last group, the divisor is a constant.
  if (left >= Rows)
    return static_cast<int>(Axis == 0 ? work_tile / Rows : above + work_tile % Rows);
  return static_cast<int>(Axis == 0 ? work_tile / left : above + work_tile % left);
}

} // namespace detail

// This block's index along an axis (0, 1, 2 = x, y, z) under a threadblock swizzle: blocks, which
// start in row-major order, take the grid in groups of Rows rows, column by column. Blocks that run
// at the same time then read tiles of few rows and few columns, which stay in the L2 cache. The
// mapping is a bijection on the grid.
template <int Axis, int Rows = 8> TESSERA_DEVICE int swizzled_block_index() {
  const unsigned x = arch::block_index<0>(), y = arch::block_index<1>();
  const unsigned columns = arch::grid_size<0>(), above = y / Rows * Rows;
  const unsigned left = static_cast<unsigned>(arch::grid_size<1>()) - above;
  constexpr unsigned most = ~0u / Rows; // columns for which 32 bits count the blocks
  if (Axis == 2 || columns > most)
    return arch::block_index<Axis>();
  return detail::index_in_group<Axis, Rows>(above, (y - above) * columns + x, left);
}

} // namespace tessera
