// The tiles of a loop, and of what becomes of its results, that are divided when one of them is.
//
// A sum of multiplies whose columns are made in parts takes the columns of its second operand in
// parts, whatever is computed of it element by element, whatever meets it there, and what the loop
// carries of all these. Each tile is divided along one of its dimensions:
//
//   %c = mma %a, %b, %sum      of 128x256 along columns: %b, %sum; not %a
//   %d = binary add %c, %e     %d, %e
//   %s = broadcast %scale      of 128x1: not %scale
//   scf.if -> %r, scf.for      what each branch yields; what is carried, and the loop's result
//
// Ends are reads of views and tiles of one value, which are made in parts, and stores to views.
// Everything else - a reduction, a tile that was there before the loop - makes it impossible.
// Where the loop stays whole, its results are ends too.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "tile/TileDialect.h"

#include "llvm/ADT/SetVector.h"

namespace tessera::plan {

class DividedTiles {
public:
  enum class Loop { Divided, Whole };

  explicit DividedTiles(mlir::scf::ForOp loop, Loop is = Loop::Divided)
      : loop(loop), isLoopWhole(is == Loop::Whole) {}

  // All that is divided with a tile of the loop along a dimension; false where that cannot be.
  bool follow(mlir::Value tile, unsigned dim);

  // The dimension of a tile that is divided, or nothing; of a tile of one value as well.
  std::optional<unsigned> dimOf(mlir::Value tile) const;
  bool contains(mlir::Value tile) const { return dims.count(tile); }
  // All but tiles of one value.
  const llvm::MapVector<mlir::Value, unsigned> &tiles() const { return dims; }

  // What is behind the loop, in its order: computations, reads, and stores of tiles.
  llvm::SmallVector<mlir::Operation *> behind() const;

  // Does the operation make, read or store a divided tile?
  bool isPart(mlir::Operation *op) const;

  // Can all be divided into so many parts?
  bool canBe(int64_t parts) const;

  // The type of each of so many parts of a divided tile.
  mlir::RankedTensorType partOf(mlir::Value tile, int64_t parts) const;

  // Makes a copy of an operation, whose operands `map` has mapped, take and give part `part`.
  void divide(mlir::Operation *op, mlir::Operation *copy, int64_t part, int64_t parts,
              const mlir::IRMapping &map) const;

private:
  unsigned dimOfDivided(mlir::Value tile) const;
  bool takesPart(mlir::Operation *op, unsigned operand) const;
  bool followOne(mlir::Value tile, unsigned dim);
  bool followMaker(mlir::Value tile, unsigned dim);
  bool followUser(mlir::OpOperand &use, unsigned dim);
  bool note(mlir::Operation *op);
  bool queue(mlir::Value tile, unsigned dim) { return work.push_back({tile, dim}), true; }

  mlir::scf::ForOp loop;
  bool isLoopWhole;
  llvm::MapVector<mlir::Value, unsigned> dims;
  llvm::DenseMap<mlir::Value, unsigned> ofOneValue;
  llvm::SetVector<mlir::Operation *> users; // behind the loop
  llvm::SmallVector<std::pair<mlir::Value, unsigned>> work;
};

// A tile whose elements are all one value, as a constant or a scalar.
bool isOfOneValue(mlir::Value tile);

} // namespace tessera::plan
