// What one block does for each of the blocks whose work it does (WideTiles.h), one after the other.
//
//   llvm.store %x, %p[block_index]   ->   llvm.store %x, %p[first];
//                                         if (%first + 1 < grid_size) llvm.store %x, %p[first + 1]
//
// Blocks run concurrently, in no order that their program could rely on: the ops of several blocks
// may alternate, one op of each at a time. A block beyond the grid reads and writes no memory, and
// does nothing that could fail or not end.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace tessera::plan {

// May one block repeat the op for each block that it stands for? Not an op that orders accesses
// with those of other blocks, that multiplies, that keeps something in a thread's memory, or that
// takes many registers.
bool mayBeDoneByEach(mlir::Operation &op);

// An integer division or remainder, of scalars or of tiles: a CPU ends a program that divides by 0.
bool isQuotient(mlir::Operation *op);

// Accesses of two blocks have no order that their program could rely on.
bool areOfTwoBlocks(llvm::ArrayRef<int64_t> one, llvm::ArrayRef<int64_t> other);

class EachBlock {
public:
  // `factor` blocks along an axis of the grid. distances: from a block's value to the next block's.
  EachBlock(mlir::func::FuncOp kernel, uint64_t axis, int64_t factor,
            const llvm::DenseMap<mlir::Value, int64_t> &distances)
      : kernel(kernel), axis(axis), factor(factor), distances(distances) {}

  // Values and ops that are repeated for each block; no value nested in such an op is one.
  bool contains(mlir::Value value) const { return values.contains(value); }
  bool contains(mlir::Operation *op) const { return ops.contains(op); }
  // Whether the value was new.
  bool add(mlir::Value value) { return values.insert(value).second; }
  void add(mlir::Operation *op) { ops.insert(op); }
  void forget(mlir::Operation *op) { ops.erase(op); }
  void forget(mlir::Value value) { values.erase(value); }

  // replaced: called for the loop-carried values and results of a loop that now carries more.
  void rewrite(llvm::function_ref<void(mlir::Value, mlir::Value)> replaced);

  // After rewrite: a value as it is for one of the blocks.
  mlir::Value of(mlir::Value value, int64_t block);
  // How many blocks the grid has from the first of these on.
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
  llvm::SmallVector<mlir::Value> exists; // of the blocks after the first
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> others; // of those, their values
};

} // namespace tessera::plan
