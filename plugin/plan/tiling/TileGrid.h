// The tiles that a kernel computes, as a grid of blocks.
//
// Programs number their tiles by themselves: one block takes tile after tile, or a block's number
// is decomposed so that tiles that run at about the same time share what they read.
//
//   for (tile = bid; tile < tiles; tile += num_blocks)
//     row = first + tile % band, column = tile % (8 * columns) / band; ... store at (row, column)
//
// Where everything about such a tile depends on a few of those numbers, here (row, column), and
// each of their combinations occurs once, blocks with these indices do the same: a kernel without
// the loop, in a grid of columns x rows. The launch computes which combinations occur, from the
// arguments and the grid that it was given, with the program's own computation.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tessera::plan {

struct TileGrid {
  // The kernel, with the indices of blocks along x, y and z instead of the numbers: x is the number
  // that the last dimension of the result depends on.
  mlir::OwningOpRef<mlir::func::FuncOp> blocks;
  // What the launch computes: for each block of the program's grid, a tile.list_tile of the numbers
  // of each of its tiles.
  mlir::OwningOpRef<mlir::func::FuncOp> list;
};

// Nothing where the tiles have no such numbers, where host code cannot compute them, or where the
// order of a block's tiles is observable: by reads of what its other tiles wrote.
std::optional<TileGrid> tileGridOf(mlir::func::FuncOp kernel);

} // namespace tessera::plan
