// Tile blocks side by side. A tile block of 64 rows keeps one warpgroup busy. Where neighbours
// along an axis of the grid read the same in their loops, as the blocks of queries of one head read
// its keys and values, a block with a producer warp computes two of them: each consumer warpgroup
// is a tile block of its own, and what the producer warp copies serves both:
//
//   %i = block_index 0; %q = view_load q[%i * 64]; for %j in 0 to f(%i) { K(%j), V(%j) }; store
// becomes
//   producer_warp { for %j in 0 to max(f(2 * %pair), f(2 * %pair + 1)) { copies of K, V } }
//   %i = 2 * %pair + warpgroup_index; %q = view_load q[%i * 64]
//   for %j in 0 to f(%i) { K(%j), V(%j) }
//   for %j in f(%i) to max(f(2 * %pair), f(2 * %pair + 1)) { wait; release }
//   store
//
// Nothing about a tile block changes, neither its tiles nor the order of its additions. The grid
// need not be even: where a pair has one tile block, both warpgroups compute it, and one writes.
//
// In images, whose grid the host decides, a small grid would leave SMs without work: up to one tile
// block for each, a block computes one, and its second warpgroup passes over all iterations.
//
// The barriers of a tile block are those of its warpgroup, and its tiles in shared memory are its
// own (sharedOfTileBlock).
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/TileDialect.h"

namespace tessera::plan {

// Can a kernel whose multiplies are in these loops be computed so, along this axis?
bool canBeWarpgroupBlocks(mlir::func::FuncOp kernel, int64_t axis,
                          llvm::ArrayRef<mlir::scf::ForOp> loops);

// The iterations of a loop that any of the tile blocks side by side has.
struct JointIterations {
  mlir::Value lower, upper;
};

// Of two bounds, as the loop compares them.
mlir::Value smaller(mlir::OpBuilder &b, mlir::scf::ForOp loop, mlir::Value x, mlir::Value y);
mlir::Value larger(mlir::OpBuilder &b, mlir::scf::ForOp loop, mlir::Value x, mlir::Value y);

// Makes the kernel's ops those of the tile block that a warpgroup computes. `canBeWarpgroupBlocks`
// holds.
class WarpgroupBlocks {
public:
  // reads: before the loops, of tiles that the producer warp copies for each tile block.
  WarpgroupBlocks(mlir::func::FuncOp kernel, int64_t axis, llvm::ArrayRef<mlir::scf::ForOp> loops,
                  llvm::ArrayRef<tile::ViewLoadOp> reads, bool isImage);

  // The loop's iterations, if they may differ between the tile blocks.
  std::optional<JointIterations> jointOf(mlir::scf::ForOp loop) const;

  // One of `reads` as each of the tile blocks has it. They have no uses.
  llvm::ArrayRef<tile::ViewLoadOp> readsOf(tile::ViewLoadOp read) const;

  // The warpgroup of a thread, and whether a block has any tile block.
  tile::WarpgroupIndexOp warpgroup() const { return number; }
  mlir::Value hasTileBlock() const { return isFirstInside; }

private:
  class AtBlock;

  tile::WarpgroupIndexOp number;
  mlir::Value isFirstInside;
  llvm::DenseMap<mlir::Operation *, JointIterations> joint;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<tile::ViewLoadOp>> readsOfBlocks;
};

// The slot of the own tile block's first tile in a ring that has `tiles` of them for each tile
// block: 0 where a block is one tile block.
mlir::Value firstSlotOfTileBlock(mlir::OpBuilder &b, mlir::Location loc, mlir::func::FuncOp kernel,
                                 int64_t tiles);

// A new shared tile of the own tile block.
mlir::Value sharedOfTileBlock(mlir::OpBuilder &b, mlir::Location loc, mlir::func::FuncOp kernel,
                              tile::SharedType type);

} // namespace tessera::plan
