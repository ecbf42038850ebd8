// The order in which blocks take the tiles of a grid.
#pragma once

#include "../arch/arch.cuh"

namespace tessera {

namespace detail {

// The index along an axis, 0 or 1, of a place in the band that begins at row `above` and has `left`
// rows below it: column after column.
template <int Axis, unsigned Rows>
TESSERA_DEVICE int index_in_band(unsigned above, unsigned place, unsigned left) {
  // A division by a constant but in the last band.
  if (left >= Rows)
    return static_cast<int>(Axis == 0 ? place / Rows : above + place % Rows);
  return static_cast<int>(Axis == 0 ? place / left : above + place % left);
}

} // namespace detail

// This block's index along an axis (0, 1, 2 = x, y, z) when the blocks, which start in row-major
// order, take the grid in bands of Rows rows, column after column. Those at work at the same time
// then read few rows' and few columns' tiles, which the L2 cache keeps. Every block of the grid has
// one index and every index one block.
template <int Axis, int Rows = 8> TESSERA_DEVICE int block_in_bands() {
  const unsigned x = arch::block_index<0>(), y = arch::block_index<1>();
  const unsigned columns = arch::grid_size<0>(), above = y / Rows * Rows;
  const unsigned left = static_cast<unsigned>(arch::grid_size<1>()) - above;
  constexpr unsigned most = ~0u / Rows; // columns whose blocks 32 bits count
  if (Axis == 2 || columns > most)
    return arch::block_index<Axis>();
  return detail::index_in_band<Axis, Rows>(above, (y - above) * columns + x, left);
}

} // namespace tessera
