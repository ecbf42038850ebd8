// The passes of the phase mma: the instruction of each multiply, and its operands in shared memory.
#include "plan/Phases.h"

#include "plan/Passes.h"

using namespace mlir;

namespace tessera::plan {

void addMmaPhase(OpPassManager &kernel) {
  // Before all passes that look at a multiply: they see a larger K tile as if the program had it.
  kernel.addPass(createUnrollAlongK());
  addVerification(kernel, "contiguous");
  // Before operands are in shared memory: B moves on its way there.
  kernel.addPass(createPermuteK());
  // Operands of a multiply move to shared memory before layouts are assigned: they need none in
  // registers.
  kernel.addPass(createSelectMmaInstructions());
  addVerification(kernel, "matrix");
}

} // namespace tessera::plan
