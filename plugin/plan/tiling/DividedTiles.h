// The tiles of a loop and of its epilogue that must be divided when one of them is.
//
// An accumulator whose columns are computed in parts needs the columns of its operand B in parts,
// and so does everything that is computed from it element-wise, everything it is combined with, and
// everything the loop carries of these. Each tile is divided along one of its dimensions:
//
//   %c = mma %a, %b, %accumulator      of 128x256 along columns: %b, %accumulator; not %a
//   %d = binary add %c, %e     %d, %e
//   %s = broadcast %scale      of 128x1: not %scale
//   scf.if -> %r, scf.for      what each branch yields; what is carried, and the loop's result
//
// The walk ends at reads of views and splats, which are made in parts, and at stores to views.
// Everything else - a reduction, a tile from before the loop - makes the division impossible. Where
// the loop stays whole, it also ends at the loop's results.
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

  // Collects all tiles that are divided with a tile of the loop along a dimension; false where that
  // is impossible.
  bool follow(mlir::Value tile, unsigned dim);

  // The dimension along which a tile is divided, or nothing; of a splat as well.
  std::optional<unsigned> dimOf(mlir::Value tile) const;
  bool contains(mlir::Value tile) const { return dims.count(tile); }
  // All but splats.
  const llvm::MapVector<mlir::Value, unsigned> &tiles() const { return dims; }

  // The ops after the loop, in program order: computations, reads, and stores of tiles.
  llvm::SmallVector<mlir::Operation *> behind() const;

  // Does the operation make, read or store a divided tile?
  bool isPart(mlir::Operation *op) const;

  // Can all tiles be divided into this many parts?
  bool canBe(int64_t parts) const;

  // The type of each of this many parts of a divided tile.
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
  llvm::DenseMap<mlir::Value, unsigned> uniformTiles;
  llvm::SetVector<mlir::Operation *> users; // after the loop
  llvm::SmallVector<std::pair<mlir::Value, unsigned>> work;
};

// A splat or a splat constant.
bool isOfOneValue(mlir::Value tile);

// Such a tile with this type, whose element `map` may replace.
mlir::Value oneValueAs(mlir::OpBuilder &b, mlir::Value tile, mlir::RankedTensorType type,
                       const mlir::IRMapping &map);

// Moves the start of a box to so many elements further on.
void startLater(mlir::OpBuilder &b, mlir::OpOperand &start, mlir::Value by);

// The same numbers from `first` on.
mlir::Value iotaFrom(mlir::OpBuilder &b, tile::IotaOp iota, mlir::Value first);

// The dimension of `to` that a reshape maps a dimension of `from` to, if the reshape only adds and
// removes dimensions of one element.
std::optional<unsigned> reshaped(mlir::RankedTensorType from, unsigned dim,
                                 mlir::RankedTensorType to);

} // namespace tessera::plan
