// The passes of the phase accesses: how each access is made, how many blocks share an SM, and the
// barriers.
#include "plan/Phases.h"

#include "plan/Passes.h"

using namespace mlir;

namespace tessera::plan {

void addAccessesPhase(OpPassManager &manager, int64_t forgottenBarrier) {
  OpPassManager &kernel = manager.nest<func::FuncOp>();
  kernel.addPass(createWarnOfSpills());
  kernel.addPass(createPlanAccesses());
  // After plan-accesses, which says what is proven of copies.
  kernel.addPass(createVersionLoops());
  // Likewise, and before loads are grouped: those of each version by themselves.
  kernel.addPass(createVersionAccesses());
  // Of the version for views of any alignment; the other one keeps wide accesses.
  kernel.addPass(createCoalesceRows());
  // After all that changes which thread has which element, in either version.
  kernel.addPass(createTrimWarps());
  // Before loads are grouped: those that go up pass no barrier.
  kernel.addPass(createSinkLoads());
  kernel.addPass(createGroupLoads());
  // After all passes that change lifetimes of tiles and the shared memory that they take.
  kernel.addPass(createPlanOccupancy());
  // Last, since only now every access of memory is visible.
  kernel.addPass(createInsertBarriers({forgottenBarrier}));
}

} // namespace tessera::plan
