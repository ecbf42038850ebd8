// Loops of several multiplies, of whose operands shared memory has room for one stage alone.
#pragma once

#include "plan/pipeline/ChooseRing.h"

namespace tessera::plan {

// The loads of a loop by the multiplies that read them, and the stage of each. None, where there is
// no room for that next to `beside` bytes, or where all are due, and read, at the same multiply:
// their copies would overlap nothing.
SingleStages singleStagesOf(mlir::scf::ForOp loop, llvm::ArrayRef<PipelinedLoad> pipelinedLoads,
                            int64_t beside);

// Copies each part ahead, into its stage, as soon as what is there has been read: by bulk copies,
// and with the ends of shifted rows, if the ring says so.
void copyIntoSingleStages(mlir::scf::ForOp loop, const SingleStages &single, const Ring &ring);

} // namespace tessera::plan
