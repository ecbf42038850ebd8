// The passes of the phase naming: which values have a variable in generated code, when it is
// assigned, and what it is called.
#include "plan/Phases.h"

#include "plan/Passes.h"

using namespace mlir;

namespace tessera::plan {

void addNamingPhase(OpPassManager &manager) {
  OpPassManager &kernel = manager.nest<func::FuncOp>();
  // After all passes that change loops.
  kernel.addPass(createSequenceCopies());
  // After sequence-copies, which adds uses of values.
  kernel.addPass(createInlineValues());
  // After all passes that make values.
  kernel.addPass(createNameValues());
  addVerification(kernel, "final");
}

} // namespace tessera::plan
