// What the plan made of a loop that multiplies, read off the planned kernel: for those who tell it.
#pragma once

#include "tile/TileDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::plan {

// The copies that are started ahead of their use in a loop.
struct PlannedRing {
  int64_t stages, bytes; // of a stage
  int64_t parts;         // of an iteration, each of which has its own wait and its own copies
  int64_t ahead;         // parts
  bool isBulk;           // where the views allow it when the kernel runs
  bool isFilledByWarp;   // which does nothing else, as far ahead as stages are free
};

// Nothing where a loop copies nothing ahead, or the first stages of a loop behind it.
std::optional<PlannedRing> ringOf(mlir::scf::ForOp loop);

// The multiplies of a loop, but not of loops within.
llvm::SmallVector<tile::SharedMmaOp> multipliesOfTurn(mlir::scf::ForOp loop);

} // namespace tessera::plan
