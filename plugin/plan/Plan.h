// plan: decides how a tile program runs. Tile IR in, the same tile IR out with every decision an
// attribute or an op.
#pragma once

#include "support/Checks.h"
#include "support/PlanPolicy.h"
#include "target/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace tessera::plan {

// The GPU that a kernel is planned for.
const GpuTarget &targetOf(mlir::Operation *kernel);

// What the plan of a kernel, or of a module, may do.
PlanPolicy policyOf(mlir::Operation *op);
// Of a module or, in its place, of one kernel.
void setPolicy(mlir::Operation *op, const PlanPolicy &policy);

// What the passes may take of shared memory for speed: a kernel that does not fit otherwise is
// planned with less.
struct SharedAllowance {
  int64_t stages;   // of a ring of copies ahead; 1: no ring
  int64_t operands; // bytes, of the two operands of a multiply
  int64_t exchange; // bytes, of a conversion
  bool sharesOperands =
      true; // multiplies share one tile of an operand, which lives through them all
};
SharedAllowance allowanceOf(mlir::Operation *kernel);
void setAllowance(mlir::Operation *kernel, const SharedAllowance &allowance);

// The passes of a kernel that allocate shared memory, which FitSharedMemory runs.
void buildSharedMemoryPasses(mlir::OpPassManager &kernel);

// Adds the passes of the plan in their order, with the checks. forgottenBarrier: the barrier that
// the pass tile-insert-barriers leaves out on purpose, or 0.
void buildPipeline(mlir::OpPassManager &manager, const Checks &checks, int64_t forgottenBarrier);

// "tile-count-loops", "canonicalize": the passes that these two run, each once.
std::vector<std::string> passNames();

} // namespace tessera::plan
