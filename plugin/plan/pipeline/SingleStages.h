// Loops of several multiplies, of whose operands shared memory has room for one stage alone.
#pragma once

#include "plan/pipeline/ChooseRing.h"

namespace tessera::plan {

// The loads of a loop by the multiplies that read them, in the order in which an iteration first
// uses them. Nothing where one stage of each does not fit next to `beside` bytes, or where all are
// due, and read, at the same multiply: their copies would overlap nothing.
llvm::SmallVector<llvm::SmallVector<PipelinedLoad>>
singleStagesOf(mlir::scf::ForOp loop, llvm::ArrayRef<PipelinedLoad> pipelinedLoads, int64_t beside);

// Copies each part one iteration ahead, into its only stage, as soon as that has been read: by bulk
// copies, and with the ends of shifted rows, if the ring says so.
void copyIntoSingleStages(mlir::scf::ForOp loop,
                          llvm::ArrayRef<llvm::SmallVector<PipelinedLoad>> parts, const Ring &ring);

} // namespace tessera::plan
