// What the plan made of a loop that multiplies, read off the planned kernel, for reports.
#pragma once

#include "target/CostModel.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::plan {

// The ring of copies that a loop starts ahead of their use.
struct PlannedRing {
  int64_t stages, bytes; // of a stage
  int64_t parts;         // of an iteration, each with its own wait and its own copies
  int64_t ahead;         // prefetch distance, in parts
  bool isBulk;           // where the views allow it when the kernel runs
  bool isFilledByWarp;   // by a producer warp, as far ahead as stages are free

  // Is each part copied into its only stage as soon as that has been read (SingleStages.h)?
  bool isSingle() const { return stages == 1; }
};

// Nothing where a loop copies nothing ahead, or is itself the prologue of the loop after it.
std::optional<PlannedRing> ringOf(mlir::scf::ForOp loop);

// The multiplies of a loop, without those of nested loops.
llvm::SmallVector<tile::SharedMmaOp> multipliesOfIteration(mlir::scf::ForOp loop);

// What these cost together; 0 where no tensor core takes one.
MatmulCost costOfIteration(mlir::scf::ForOp loop);

} // namespace tessera::plan
