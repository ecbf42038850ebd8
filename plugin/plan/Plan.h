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

// Only sm_90a makes tensor maps in kernels, and has the panels.
inline bool hasBulkCopies(const GpuTarget &target) {
  return target.has(GpuTarget::Tma) && target.has(GpuTarget::Wgmma);
}
// Whether the target of an op's kernel has bulk copies, and the plan may fill rings with them.
bool hasBulkRings(mlir::Operation *op);

// The passes of a kernel that allocate shared memory, which FitSharedMemory runs.
void buildSharedMemoryPasses(mlir::OpPassManager &kernel);

// Adds the passes of the plan in their order, with the checks. forgottenBarrier: the barrier that
// the pass tile-insert-barriers leaves out on purpose, or 0.
void buildPipeline(mlir::OpPassManager &manager, const Checks &checks, int64_t forgottenBarrier);

// Adds what kernels for the CPU need, whose tiles stay whole: the checks, and names.
void buildWholePipeline(mlir::OpPassManager &manager, const Checks &checks);

// "tile-count-loops", "canonicalize": the passes that these two run, each once.
std::vector<std::string> passNames();

} // namespace tessera::plan
