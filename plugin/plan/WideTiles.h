// The tiles of several neighbouring blocks as one wide tile.
//
// A product's block (x, y) reads rows y of A and columns x of B. Two blocks (2 p, y) and
// (2 p + 1, y) read the same rows, and columns that lie side by side; what one wide block does
// with both is the program of the tile of twice the columns:
//
//   %b = view_load B starts(%k, 64 x) : 64x64          ->  starts(%k, 64 (2 p)) : 64x128
//   %c = mma %a : 64x64, %b : 64x64, %c : 64x64        ->  mma %a : 64x64, %b : 64x128, %c : 64x128
//   view_store %c starts(%row, 64 x)                   ->  starts(%row, 64 (2 p)) : 64x128
//
// Every value of the kernel is then one of three. The same for all blocks; a number that grows by a
// constant from one block to the next; or a tile whose parts along one dimension are the blocks'
// tiles. What makes anything else of the block's index, or changes memory but by stores of such
// tiles, or of what is the same for all blocks, cannot be widened.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/TileDialect.h"

namespace tessera::plan {

class WideTiles {
public:
  // `factor` blocks along an axis of the grid, a power of two. The kernel is changed from the start
  // on: where widen() says no it is of no use any more.
  WideTiles(mlir::func::FuncOp kernel, uint64_t axis, int64_t factor)
      : kernel(kernel), axis(axis), factor(factor) {}

  // The block's index is that of a wide block afterwards.
  bool widen();

private:
  void scaleIndices();
  bool visit(mlir::Block &block);
  bool visit(mlir::Operation &op);
  bool visitScalar(mlir::Operation &op);
  bool visitTile(mlir::Operation &op);
  bool visitFor(mlir::scf::ForOp loop);
  bool visitIf(mlir::scf::IfOp branch);
  bool visitAccess(mlir::ValueRange view, mlir::ValueRange starts, llvm::ArrayRef<int64_t> box,
                   std::optional<unsigned> &dim);
  bool visitStore(tile::ViewStoreOp store);
  std::optional<unsigned> alongOf(mlir::Operation &op);
  bool spread(mlir::Value value, unsigned dim);
  bool spreadOperands(mlir::Operation &op, unsigned dim);

  bool isUniform(mlir::Value value) const {
    return !distances.contains(value) && !dims.contains(value);
  }
  // A tile that is the same for all blocks, once for each of them.
  bool canRepeat(mlir::Value value, unsigned dim);
  mlir::Value repeat(mlir::OpBuilder &b, mlir::Value value, unsigned dim) const;
  mlir::RankedTensorType wide(mlir::Type type, unsigned dim) const;

  void rewrite();
  void repeatOperands(mlir::Operation &op, unsigned dim) const;
  void clip(tile::ViewStoreOp store, unsigned dim) const;

  mlir::func::FuncOp kernel;
  uint64_t axis;
  int64_t factor;
  llvm::DenseMap<mlir::Value, int64_t> distances; // of numbers, from a block's to the next one's
  llvm::DenseSet<mlir::Value> multiples;          // those that are the block's index times that
  llvm::DenseMap<mlir::Value, unsigned> dims;     // of tiles, along which the blocks' lie
  llvm::DenseMap<mlir::Operation *, unsigned> stores; // along which they write
  bool hasChanged = false;
};

} // namespace tessera::plan
