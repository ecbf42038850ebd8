// Operands of multiplies that other ops of the loop read, too, as a norm of the rows that are
// multiplied does. Such a read stays in registers, and so could not be copied ahead. These ops read
// the operand in shared memory instead:
//
//   %x = view_load; shared_store %x, %s; shared_mma %s; reduce %x
// becomes
//   %x = view_load; shared_store %x, %s; %again = shared_load %s; shared_mma %s; reduce %again
#pragma once

#include "plan/analysis/PipelinedLoads.h"

namespace tessera::plan {

// Does so for those reads of a loop that could be copied ahead if it were not for their other uses,
// and returns them. Where one gets no ring after all, readFromRegisters (ComputedOperands.h) undoes
// it.
llvm::SmallVector<PipelinedLoad> rereadOperands(mlir::scf::ForOp loop);

} // namespace tessera::plan
