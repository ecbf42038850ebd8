// The passes of the phase naming: which values have a variable in generated code, when it is
// assigned, and what it is called.
#include "plan/Phases.h"

#include "plan/Passes.h"

using namespace mlir;

namespace tessera::plan {

void addNamingPasses(OpPassManager &kernel) {
  // After all passes that change loops.
  kernel.addPass(createSequenceCopies());
  // After sequence-copies, which adds uses of values.
  kernel.addPass(createInlineValues());
  // After all passes that make values.
  kernel.addPass(createNameValues());
}

void addNamingPhase(OpPassManager &manager) {
  OpPassManager &kernel = manager.nest<func::FuncOp>();
  addNamingPasses(kernel);
  addVerification(kernel, "final");
}

} // namespace tessera::plan
