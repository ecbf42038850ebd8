// The prologue of a software pipeline: the copies of a loop's first iterations, in front of it.
#pragma once

#include "plan/pipeline/RingCopies.h"

namespace tessera::plan {

// Starts the copies of the first `count` parts of a loop at the builder. parts: what is copied at a
// time, in the order in which an iteration uses it.
void startPrologue(mlir::OpBuilder &b, mlir::scf::ForOp loop,
                   llvm::ArrayRef<llvm::SmallVector<PipelinedLoad>> parts,
                   llvm::ArrayRef<RingOfTiles> rings, const std::optional<BulkRing> &bulk,
                   int64_t count);

} // namespace tessera::plan
