// The copies that fill the stages of a ring, for the iteration that will use them.
#pragma once

#include "plan/pipeline/BulkRings.h"
#include "plan/analysis/OtherIterations.h"

namespace tessera::plan {

// The ring of one of the tiles that an iteration uses.
struct RingOfTiles {
  mlir::Value tiles;
  mlir::Value ends; // of its rows (ShiftedRows.h), or null
};

// The slot of a ring after another one.
mlir::Value nextSlot(mlir::OpBuilder &b, mlir::Location loc, mlir::Value slot, int64_t stages);

// Do threads commit a group for each start of copies, whether or not there is anything to copy? Not
// for a ring that bulk copies alone fill.
bool commitsGroups(const std::optional<BulkRing> &bulk);

// Starts the copies of another iteration into slot `slot` of the rings. map: its values that are
// known already.
void startCopies(mlir::OpBuilder &b, mlir::scf::ForOp loop,
                 llvm::ArrayRef<PipelinedLoad> pipelinedLoads, llvm::ArrayRef<RingOfTiles> rings,
                 const std::optional<BulkRing> &bulk, const OtherIteration &there, mlir::Value slot,
                 mlir::IRMapping map = {});

// Waits until all but `pending` groups have arrived, and shifts the rows, or rounds the elements,
// that this iteration reads in slot `slot`, where the copies did not.
void waitForCopies(mlir::OpBuilder &b, mlir::scf::ForOp loop,
                   llvm::ArrayRef<PipelinedLoad> pipelinedLoads, llvm::ArrayRef<RingOfTiles> rings,
                   const std::optional<BulkRing> &bulk, int64_t pending, mlir::Value slot);

} // namespace tessera::plan
