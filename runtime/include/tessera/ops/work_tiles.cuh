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

// Along an axis of the grid, which work tile takes longest: the one at 0, or the last one.
enum class longest { first, last };

namespace detail {

// The work tile of linear index `index` of `count`, dealt to `blocks` blocks in rounds. Work tiles
// take different times along an axis: neighbours along it have numbers `stride` apart, and a line
// along it has `length` of them.
//
// Lines are taken together in sections, each of about four rounds: so what the lines of a section
// read stays in the L2 cache. A section goes along the axis, all of its lines side by side, in
// alternating directions: the times of work tiles change little from one to the next, and the last
// section ends with the shortest (longest processing time first). Every other round is dealt in
// reverse, so that what a block has too much of in one it lacks in the next. The mapping is a
// bijection.
TESSERA_BOTH unsigned scheduled(unsigned index, unsigned count, unsigned blocks, unsigned stride,
                                unsigned length, longest longest_of_line) {
  const unsigned round = index / blocks, first = round * blocks;
  if (round % 2 == 1) {
    const unsigned dealt = count - first < blocks ? count - first : blocks;
    index = first + dealt - 1 - (index - first);
  }
  const unsigned lines = count / length, wanted = 4 * blocks / length;
  unsigned sections = wanted == 0 ? lines : (lines + wanted / 2) / wanted;
  sections = sections == 0 ? 1 : sections;
  const unsigned height = (lines + sections - 1) / sections;
  sections = (lines + height - 1) / height;
  const unsigned section = index / (height * length), above = section * height,
                 in_section = index - above * length,
                 here = lines - above < height ? lines - above : height;
  const unsigned line = above + in_section % here;
  const bool is_longest_first = (sections - 1 - section) % 2 == 0;
  unsigned at = in_section / here;
  if (is_longest_first != (longest_of_line == longest::first))
    at = length - 1 - at;
  return line / stride * (stride * length) + line % stride + at * stride;
}

} // namespace detail

// The work tile that a persistent block takes at a linear index, where work tiles take different
// times along an axis (0, 1, 2 = x, y, z).
template <int Axis, longest Longest, int Columns, int Rows>
TESSERA_DEVICE int scheduled_work_tile(const coarsened_grid &grid, int linear_index) {
  const unsigned columns = detail::groups_of<Columns>(grid.blocks.x),
                 rows = detail::groups_of<Rows>(grid.blocks.y);
  const unsigned stride = Axis == 0   ? 1
                          : Axis == 1 ? columns
                                      : columns * rows,
                 length = Axis == 0   ? columns
                          : Axis == 1 ? rows
                                      : grid.blocks.z;
  return static_cast<int>(
      detail::scheduled(static_cast<unsigned>(linear_index), columns * rows * grid.blocks.z,
                        static_cast<unsigned>(arch::grid_size<0>()), stride, length, Longest));
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
