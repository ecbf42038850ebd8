// The passes of the phase normalize: one form of what programs write in several.
#include "plan/Phases.h"

#include "plan/Passes.h"

using namespace mlir;

namespace tessera::plan {

void addNormalizePhase(OpPassManager &manager) {
  OpPassManager &kernel = manager.nest<func::FuncOp>();
  // Before all passes that need a loop's counter and its reads.
  kernel.addPass(createCountLoops());
  kernel.addPass(createMergeCounters());
  // Before all passes that look at the elements of a multiply.
  kernel.addPass(createNarrowOperands());
  // Before all passes that look at the accumulators of a multiply.
  kernel.addPass(createAccumulateProducts());
  // Before all passes that look at the uses of a read.
  kernel.addPass(createLateTransposes());
  kernel.addPass(createCutOperands());
  kernel.addPass(createLateReads());
  kernel.addPass(createUnrollLoops());
  // After unroll-loops, which makes one block of several loops' bodies.
  kernel.addPass(createMergeReads());
  // Last: what stands above holds for each of the loops then.
  kernel.addPass(createSplitMaskedLoops());
}

} // namespace tessera::plan
