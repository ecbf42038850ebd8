// The operands of a loop's multiplies, which the pass unroll-along-k gives a larger K extent.
#pragma once

#include "tile/TileDialect.h"

#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tessera::plan {

// What a loop's operands are computed from: the dimension of each tile that is summed over.
class DeepOperands {
public:
  explicit DeepOperands(mlir::scf::ForOp loop) : loop(loop) {}

  // Follows an operand up to its read; false if it has another form.
  bool add(mlir::Value tile, unsigned k);

  bool contains(mlir::Operation *op) const { return tiles.contains(op); }

  // The loop's multiplies are the only uses of what is read and computed; the rest of the loop can
  // be repeated.
  bool areAll(llvm::ArrayRef<tile::MmaOp> multiplies);

  llvm::SmallVector<std::pair<tile::ViewLoadOp, unsigned>> loads() const;

  // Zeros stay zeros on their way to the multiply.
  bool keepZeros() const;

  // Gives the tiles of a copy of the loop, to which `map` leads, the K extent of several
  // iterations.
  void deepen(const mlir::IRMapping &map, int64_t iterations) const;

private:
  bool isInTurn(tile::ViewLoadOp load, unsigned k);
  bool isSameAlongK(mlir::Value tile, unsigned k);

  mlir::scf::ForOp loop;
  llvm::MapVector<mlir::Operation *, unsigned> tiles;
};

} // namespace tessera::plan
