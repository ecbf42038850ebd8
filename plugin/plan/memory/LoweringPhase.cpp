// The passes of the phase lowering: what goes through shared memory, and where it lies there.
#include "plan/Phases.h"

#include "plan/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tessera::plan {

void addLoweringPhase(OpPassManager &kernel) {
  kernel.addPass(createLowerToShared());
  addVerification(kernel, "lowered");
  kernel.addPass(createCanonicalizerPass());
  // After lower-to-shared, which allocates what is needed: the rest pays for this.
  kernel.addPass(createHoistSharedStores());
  addVerification(kernel, "lowered");
}

} // namespace tessera::plan
