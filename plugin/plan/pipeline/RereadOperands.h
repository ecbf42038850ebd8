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

// What is read again of one pipelined load.
struct Reread {
  tile::SharedStoreOp store;
  tile::SharedLoadOp again;
};

// Of those reads of a loop that could be copied ahead if it were not for their other uses.
llvm::SmallVector<Reread> rereadOperands(mlir::scf::ForOp loop);

// Where there is no ring after all: the read stays in registers.
void undo(Reread reread);

} // namespace tessera::plan
