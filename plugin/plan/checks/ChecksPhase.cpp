// The passes of the phase checks. Operations are still those of the program, and what checks
// compute is planned like everything else.
#include "plan/Phases.h"

#include "plan/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tessera::plan {

void addChecksPhase(OpPassManager &manager, const Checks &checks) {
  OpPassManager &kernel = manager.nest<func::FuncOp>();
  // Always: front ends are several, and what the printer has no code for must not pass them.
  kernel.addPass(createVerifyPlan({"raised"}));
  if (checks.bounds)
    kernel.addPass(createCheckBounds());
  if (checks.nan || checks.inf)
    kernel.addPass(createCheckNumbers({checks.nan, checks.inf}));
  if (checks.any()) {
    kernel.addPass(createCanonicalizerPass());
    kernel.addPass(createCSEPass());
  }
}

} // namespace tessera::plan
