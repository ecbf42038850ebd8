// The passes of the phase pipeline: what is loaded ahead and stored behind, in how many stages.
#include "plan/Phases.h"

#include "plan/Passes.h"

using namespace mlir;

namespace tessera::plan {

void addPipelinePhase(OpPassManager &kernel) {
  // Before the pipeline is planned: it plans smaller loads.
  kernel.addPass(createSubtileK());
  // Before pipeline-loops, which leaves loops alone whose operands come from rings.
  kernel.addPass(createSpecializeChains());
  kernel.addPass(createPipelineLoops());
  // After the rings, in whose bytes results lie; before layouts, which would convert them.
  kernel.addPass(createBulkStores());
  addVerification(kernel, "matrix");
}

} // namespace tessera::plan
