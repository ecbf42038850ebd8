// The passes of the phase layout: which thread holds which element. Those that follow
// assign-layouts decide by it which operands stay in registers, and are read ahead.
#include "plan/Phases.h"

#include "plan/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tessera::plan {

void addLayoutPhase(OpPassManager &kernel) {
  kernel.addPass(createCanonicalizerPass());
  kernel.addPass(createCSEPass());
  kernel.addPass(createAssignLayouts());
  addVerification(kernel, "layouts");
  kernel.addPass(createCSEPass());
  kernel.addPass(createRegisterOperands());
  // After register-operands, which decides what is in registers, and before all passes that need
  // lifetimes of tiles.
  kernel.addPass(createPrefetchOperands());
  // After register-operands, too: what is carried is in registers.
  kernel.addPass(createOverlapChains());
  // After overlap-chains: it takes what that leaves.
  kernel.addPass(createDeferWaits());
  // Any time after the loops have their last form.
  kernel.addPass(createSkipRescales());
  // After layouts, which say how wide accesses are; before tiles go through shared memory.
  kernel.addPass(createRotateRows());
}

} // namespace tessera::plan
