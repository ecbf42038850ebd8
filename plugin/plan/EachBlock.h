// What one block does for each of the blocks whose work it does (WideTiles.h), one after the other.
//
//   llvm.store %x, %p[block_index]   ->   llvm.store %x, %p[first];
//                                         if (%first + 1 < grid_size) llvm.store %x, %p[first + 1]
//
// Blocks run at one time, in no order that their program could count on: what they do may take
// turns, an op of each. What reads or writes memory is not done for a block that is not there, nor
// what could fail or not end.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace tessera::plan {

// May blocks that are one do it each by itself? Not what orders their accesses with those of
// others, what multiplies, what keeps something in a thread's memory, what takes many registers.
bool mayBeDoneByEach(mlir::Operation &op);

// A quotient of integers, of scalars or of tiles: a CPU ends a program that divides by 0.
bool isQuotient(mlir::Operation *op);

// Of an access of memory that is one block's of those that are one, i64 array: which of them along
// x, y and z; -1: all of them.
inline constexpr llvm::StringLiteral ofBlockAttr = "tile.of_block";
// Accesses of two blocks have no order that their program could count on.
bool areOfTwoBlocks(llvm::ArrayRef<int64_t> one, llvm::ArrayRef<int64_t> other);

class EachBlock {
public:
  // `factor` blocks along an axis of the grid. distances: of numbers, from a block's to the next
  // one's.
  EachBlock(mlir::func::FuncOp kernel, uint64_t axis, int64_t factor,
            const llvm::DenseMap<mlir::Value, int64_t> &distances)
      : kernel(kernel), axis(axis), factor(factor), distances(distances) {}

  // A value that each block has for itself; what is done for each; no value of what is nested there
  // is one.
  bool contains(mlir::Value value) const { return values.contains(value); }
  bool contains(mlir::Operation *op) const { return ops.contains(op); }
  // Was it none before?
  bool add(mlir::Value value) { return values.insert(value).second; }
  void add(mlir::Operation *op) { ops.insert(op); }
  void forget(mlir::Operation *op) { ops.erase(op); }
  void forget(mlir::Value value) { values.erase(value); }

  // replaced: told of what loops carry, and give, when they carry more.
  void rewrite(llvm::function_ref<void(mlir::Value, mlir::Value)> replaced);

  // Behind rewrite: a value, as it is for one of the blocks.
  mlir::Value of(mlir::Value value, int64_t block);
  // How many of the blocks, and of those behind them, are there.
  mlir::Value left();

private:
  void visit(mlir::Block &block);
  mlir::scf::ForOp carryAll(mlir::scf::ForOp loop);
  void repeat(mlir::Operation *op);
  void copy(mlir::OpBuilder &b, mlir::Operation *op, int64_t block);
  void mark(mlir::Operation *op, int64_t block) const;
  mlir::Value isThere(int64_t block);
  static bool isGuarded(mlir::Operation *op);

  mlir::func::FuncOp kernel;
  uint64_t axis;
  int64_t factor;
  const llvm::DenseMap<mlir::Value, int64_t> &distances;
  llvm::SmallPtrSet<mlir::Operation *, 16> ops;
  llvm::DenseSet<mlir::Value> values;
  llvm::function_ref<void(mlir::Value, mlir::Value)> tellReplaced;
  mlir::Value blocksLeft;
  llvm::SmallVector<mlir::Value> exists; // of the blocks behind the first
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> others; // of those, their values
};

} // namespace tessera::plan
