// The tiles of several neighbouring blocks as one wide tile.
//
// Block (x, y) of a matmul reads rows y of A and columns x of B. Two blocks (2 p, y) and (2 p + 1,
// y) read the same rows, and columns that lie side by side; one wide block for both is the program
// with twice as many columns in a tile:
//
//   %b = view_load B starts(%k, 64 x) : 64x64          ->  starts(%k, 64 (2 p)) : 64x128
//   %c = mma %a : 64x64, %b : 64x64, %c : 64x64        ->  mma %a : 64x64, %b : 64x128, %c : 64x128
//   view_store %c starts(%row, 64 x)                   ->  starts(%row, 64 (2 p)) : 64x128
//
// Every value of the kernel is then of one of four kinds: the same for all blocks; a number that
// grows by a constant from one block to the next; a tile whose parts along one dimension are the
// blocks' tiles; or a value of each block (EachBlock.h), which is computed once for each: a scalar,
// a small tile. The same holds for effects on memory: a store of a wide tile writes what all blocks
// would, a store of a value that is the same for all is done once, and everything else is done for
// each block. A tile of pointers, or a mask, of each block becomes a wide one where a wide tile is
// stored by it. An op that orders a block's accesses with those of others cannot be widened.
#pragma once

#include "plan/tiling/EachBlock.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/TileDialect.h"

namespace tessera::plan {

class WideTiles {
public:
  // `factor` blocks along an axis of the grid, a power of two. The kernel changes at once: where
  // widen() returns false it is unusable.
  WideTiles(mlir::func::FuncOp kernel, uint64_t axis, int64_t factor)
      : kernel(kernel), axis(axis), factor(factor), each(kernel, axis, factor, distances) {}

  // Afterwards the block's index is that of a wide block.
  bool widen();

private:
  void scaleIndices();
  bool visit(mlir::Block &block);
  bool visit(mlir::Operation &op);
  bool visitTogether(mlir::Operation &op);
  bool visitByEach(mlir::Operation &op);
  bool visitScalar(mlir::Operation &op);
  bool visitTile(mlir::Operation &op);
  bool visitFor(mlir::scf::ForOp loop);
  bool visitIf(mlir::scf::IfOp branch);
  bool visitAccess(mlir::ValueRange view, mlir::ValueRange starts, llvm::ArrayRef<int64_t> box,
                   std::optional<unsigned> &dim);
  bool visitStore(tile::ViewStoreOp store);
  bool visitPointers(mlir::Operation &op);
  std::optional<unsigned> alongOf(mlir::Operation &op);
  bool spread(mlir::Value value, unsigned dim);
  bool spreadOperands(mlir::Operation &op, unsigned dim);

  bool isUniform(mlir::Value value) const {
    return !distances.contains(value) && !dims.contains(value) && !each.contains(value);
  }
  bool isAnyWide(mlir::ValueRange values) const {
    return llvm::any_of(values, [&](mlir::Value v) { return dims.contains(v); });
  }
  void setEach(mlir::Value value);
  // Whether a tile that is the same for all blocks, or the tiles of each block, can be repeated
  // side by side.
  bool canRepeat(mlir::Value value, unsigned dim);
  // continues: one block's elements continue those of the block before along the dimension.
  mlir::Value repeat(mlir::OpBuilder &b, mlir::Value value, unsigned dim, bool continues = false);
  mlir::Value repeatSplat(mlir::OpBuilder &b, tile::SplatOp splat, unsigned dim, bool continues);
  mlir::Value repeatIota(mlir::OpBuilder &b, tile::IotaOp iota, unsigned dim, bool continues) const;
  mlir::Value repeatBroadcast(mlir::OpBuilder &b, tile::BroadcastOp broadcast, unsigned dim,
                              bool continues);
  mlir::Value blocksAlong(mlir::OpBuilder &b, mlir::Location loc, mlir::RankedTensorType type,
                          unsigned dim) const;
  // How much more an element of integers is than the previous one along a dimension, and than the
  // same one of the previous block.
  struct Step {
    int64_t along, between;
  };
  std::optional<Step> stepOf(mlir::Value value, unsigned dim) const;
  bool isContinued(mlir::Value value, unsigned dim) const;
  mlir::RankedTensorType wide(mlir::Type type, unsigned dim) const;

  void rewrite();
  bool isWithinBlocks(mlir::Operation *op) const;
  void keepApart(mlir::Operation *op);
  void repeatOperands(mlir::Operation &op, unsigned dim);
  void clip(tile::ViewStoreOp store, unsigned dim) const;
  void clipPointers(mlir::Operation *op, unsigned dim);

  mlir::func::FuncOp kernel;
  uint64_t axis;
  int64_t factor;
  llvm::DenseMap<mlir::Value, int64_t> distances; // from a block's number to the next block's
  llvm::DenseSet<mlir::Value> multiples;          // numbers that are the block's index times their
                                                  // distance
  llvm::DenseMap<mlir::Value, unsigned> dims;     // of tiles, along which the blocks' tiles lie
  llvm::DenseMap<mlir::Operation *, unsigned> stores; // along which they write
  EachBlock each;
  bool hasChanged = false;
};

// The dimension of another shape of the same elements with the same extent and stride.
std::optional<unsigned> sameDimension(llvm::ArrayRef<int64_t> from, unsigned dim,
                                      llvm::ArrayRef<int64_t> to);

} // namespace tessera::plan
