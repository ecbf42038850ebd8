// Tiles that are computed from each other, in whichever direction: a pass that changes how one of
// them lies in threads or slots must change all of them alike.
#pragma once

#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/TileDialect.h"

namespace tessera::plan {

// Closed under element-wise ops, reshapes, conversions of layouts, broadcasts along rows, and what
// loops carry. It ends at loads and stores of views. A pass says which tiles it takes, and which
// other ops it knows.
class TileClosure {
public:
  virtual ~TileClosure() = default;

  // Adds all tiles that belong to those which are there. False if an op is not known.
  bool follow();

  bool contains(mlir::Value tile) const { return tiles.contains(tile); }
  // Does it load one of the tiles, or store one?
  bool endsAt(mlir::Operation *access) const { return accesses.contains(access); }

protected:
  TileClosure() = default;
  TileClosure(const TileClosure &) = default;
  TileClosure &operator=(const TileClosure &) = default;

  // False if the tile cannot belong to the others.
  virtual bool add(mlir::Value tile) = 0;
  // What the op that makes a tile computes it from.
  virtual bool followMaker(mlir::Operation *maker, mlir::Value tile);
  // What is computed from a tile.
  virtual bool followUser(mlir::OpOperand &use);

  // The values that are tiles.
  bool addAll(mlir::ValueRange values);
  bool addCarried(mlir::scf::ForOp loop, mlir::BlockArgument variable);

  llvm::SetVector<mlir::Value> tiles;
  llvm::SetVector<mlir::Operation *> accesses;
};

} // namespace tessera::plan
